// Times as programs and people write them. One without a zone is read as UTC.

export type DateOrder = 'dayFirst' | 'monthFirst'
/** Milliseconds since 1970; `ambiguous`: the day could be the month. */
type ReadDate = number | 'ambiguous' | undefined

const LENGTH_MAX = 80
const DAY_MS = 86_400_000
/** The first day of 1970 in spreadsheets, which begin at 1900 and have a 29 February in that year. */
const EXCEL_DAY_OF_1970 = 25_569

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i
const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(AM|PM)?)?$/i
const MONTH = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i

function readDate(written: string, order?: DateOrder): ReadDate {
  const text = written.trim()
  if (text.length > LENGTH_MAX) return undefined
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000
  if (/^\d{12,13}$/.test(text)) return Number(text)
  if (/^\d{5}(\.\d+)?$/.test(text)) return excelDay(Number(text))
  return ISO.test(text) ? isoDate(text) : NUMBERS.test(text) ? numberedDate(text, order) : datedInWords(text)
}

/** As ISO 8601 in UTC. Without it `lost` gets a sentence. */
export function readTime(text: string, lost: string[], order?: DateOrder): string | undefined {
  const ms = readDate(text, order)
  // What programs write where they know none.
  if (typeof ms === 'number' && ms !== 0) return new Date(ms).toISOString()
  const shown = `"${text.slice(0, LENGTH_MAX)}"`
  lost.push(
    ms === 'ambiguous'
      ? `The date ${shown} may have its day or its month first, so it is left out.`
      : `${shown} is no date that can be read, so it is left out.`,
  )
  return undefined
}

/** The order that this date proves: only one of its numbers can be a month. */
export function provenOrder(written: string): DateOrder | undefined {
  const [, first, separator, second] = NUMBERS.exec(written.trim()) ?? []
  if (first === undefined || separator === '.') return undefined
  const a = Number(first)
  const b = Number(second)
  if (a > 12 === b > 12) return undefined
  return a > 12 ? 'dayFirst' : 'monthFirst'
}

const excelDay = (days: number): number => Math.round((days - EXCEL_DAY_OF_1970) * (DAY_MS / 1000)) * 1000

type Parts = { year: string; month: string; day: string; hour?: string; minute?: string; second?: string }

/** Undefined if there is no such day or time. */
function utc({ year, month, day, hour = '0', minute = '0', second = '0' }: Parts): number | undefined {
  const h = Number(hour)
  const m = Number(minute)
  const s = Number(second)
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), h, m, s)
  const isReal =
    new Date(ms).getUTCDate() === Number(day) && Number(month) <= 12 && h < 24 && m < 60 && s < 60
  return isReal ? ms : undefined
}

function isoDate(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = ISO.exec(text)!
  const ms = utc({ year: year!, month: month!, day: day!, hour: hour!, minute: minute!, second: second! })
  if (ms === undefined) return undefined
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  const offsetMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  return ms + Number(fraction.padEnd(3, '0').slice(0, 3)) - offsetMs
}

function numberedDate(text: string, order: DateOrder | undefined): ReadDate {
  const [, first, separator, second, year, hour12, minute, seconds, half] = NUMBERS.exec(text)!
  const written = separator === '.' ? 'dayFirst' : (provenOrder(text) ?? order)
  if (written === undefined && first !== second) return 'ambiguous'
  const [day, month] = written === 'monthFirst' ? [second!, first!] : [first!, second!]
  const hour = half === undefined ? hour12 : String((Number(hour12) % 12) + (/pm/i.test(half) ? 12 : 0))
  return utc({ year: year!, month, day, hour: hour!, minute: minute!, second: seconds! })
}

/** `Mar 29, 2026 2:30 PM`, `Sun, 29 Mar 2026 12:30:00 GMT` and what JavaScript prints. */
function datedInWords(text: string): number | undefined {
  if (!MONTH.test(text)) return undefined
  const plain = text.replace(/\s*\([^)]*\)$/, '')
  const hasZone = /(GMT|UTC|Z|[+-]\d{4}|[+-]\d\d:\d\d)$/i.test(plain)
  const ms = Date.parse(hasZone ? plain : `${plain} UTC`)
  return Number.isNaN(ms) ? undefined : ms
}
