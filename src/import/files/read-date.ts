// Times as programs and people write them. One without a zone is read as UTC.

export type DateOrder = 'dayFirst' | 'monthFirst'
/** Milliseconds since 1970; `ambiguous`: the day could be the month. */
type ReadDate = number | 'ambiguous' | undefined

const LENGTH_MAX = 80
const DAY_MS = 86_400_000
/** The first day of 1970 in spreadsheets, which begin at 1900 and have a 29 February in that year. */
const EXCEL_DAY_OF_1970 = 25_569

/** With its zone. It may be anywhere: some programs write the year behind it. */
const TIME =
  /(?:^|[T,\s])\s*(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?)?\s*(?:Z|UTC|GMT|(?:UTC|GMT)?([+-]\d\d)(?::?(\d\d))?)?(?=\s|$)/i
/** As JavaScript writes it behind a time. */
const ZONE_NAME = /\s*\([^)]*\)$/
const UTC_WITHOUT_TIME = /\s*(?:Z|UTC|GMT)$/i
const YEAR_FIRST = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/
/** Two digits of a year are behind dots and slashes only: behind hyphens, they may be the day. */
const YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|(?<!-)\d\d)$/
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = '(\\d{4}|\\d\\d)'
/** `Sun, 29 Mar 2026` and `March 29, 2026`. */
const IN_WORDS = new RegExp(
  `^(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*\\.?,?\\s+)?(?:${DAY}[\\s/-]+${MONTH}|${MONTH}\\s+${DAY})[,\\s/-]+${YEAR}$`,
  'i',
)
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function readDate(written: string, order?: DateOrder): ReadDate {
  const text = written.trim()
  if (text.length > LENGTH_MAX) return undefined
  if (/^\d{9,10}(?:\.\d+)?$/.test(text)) return Math.trunc(Number(text) * 1000)
  if (/^\d{12,13}$/.test(text)) return Number(text)
  if (/^\d{5}(?:[.,]\d+)?$/.test(text)) return excelDay(Number(text.replace(',', '.')))
  return dateAndTime(text, order)
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
  const day = written.length > LENGTH_MAX ? '' : written.replace(TIME, ' ').trim()
  const [, first, separator, second] = YEAR_LAST.exec(day) ?? []
  if (first === undefined || separator === '.') return undefined
  const a = Number(first)
  const b = Number(second)
  if (a > 12 === b > 12) return undefined
  return a > 12 ? 'dayFirst' : 'monthFirst'
}

const excelDay = (days: number): number => Math.round((days - EXCEL_DAY_OF_1970) * (DAY_MS / 1000)) * 1000

function dateAndTime(text: string, order: DateOrder | undefined): ReadDate {
  const ms = timeIn(text)
  const day = text.replace(ZONE_NAME, '').replace(TIME, ' ').trim().replace(UTC_WITHOUT_TIME, '')
  const date = dayIn(day, order)
  if (typeof date !== 'number') return date
  return ms === undefined ? undefined : date + ms
}

/** How long after midnight in UTC; 0 without a time, and undefined if there is no such time. */
function timeIn(text: string): number | undefined {
  const [time, hour, minute, second = '0', fraction = '', half, hours = '0', minutes = '0'] =
    TIME.exec(text) ?? []
  if (time === undefined) return 0
  const h = half === undefined ? Number(hour) : hourOf(Number(hour), half)
  if (h > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const sign = hours.startsWith('-') ? -1 : 1
  const offset = Number(hours) * 60 + sign * Number(minutes)
  return (
    ((h * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000 +
    Number(fraction.padEnd(3, '0').slice(0, 3))
  )
}

/** `half`: a or p. Too large if there is no such hour. */
const hourOf = (hour: number, half: string): number =>
  hour > 12 ? 24 : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)

function dayIn(text: string, order: DateOrder | undefined): ReadDate {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return utcDay(year, month!, day!)
  const [, first, separator, second, lastYear] = YEAR_LAST.exec(text) ?? []
  if (first === undefined) return dayInWords(text)
  const written = separator === '.' ? 'dayFirst' : (provenOrder(text) ?? order)
  if (written === undefined && first !== second) return 'ambiguous'
  return written === 'monthFirst' ? utcDay(lastYear!, first, second!) : utcDay(lastYear!, second!, first)
}

function dayInWords(text: string): number | undefined {
  const [, dayBefore, monthBehind, monthBefore, dayBehind, year] = IN_WORDS.exec(text) ?? []
  if (year === undefined) return undefined
  const month = MONTHS.indexOf((monthBehind ?? monthBefore)!.toLowerCase()) + 1
  return utcDay(year, String(month), (dayBefore ?? dayBehind)!)
}

/** Undefined if there is no such day. */
function utcDay(year: string, month: string, day: string): number | undefined {
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year)
  const ms = Date.UTC(fullYear, Number(month) - 1, Number(day))
  return new Date(ms).getUTCDate() === Number(day) && Number(month) <= 12 ? ms : undefined
}
