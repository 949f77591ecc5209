import type { CheckedRow, NewLinkInput } from '../../src/http/dashboard-api/dashboard-types.ts'
import { parseCsv, separatorOf } from '../csv.ts'
import { laterWords } from '../later-words.ts'

/** One request of the API takes so many. */
export const BATCH_MAX = 100
export const ROWS_MAX = 5_000

export type BulkRow = { line: number; link: NewLinkInput }
export type RefusedRow = BulkRow & { reasons: string[] }

const HEADS = /^(original_url|url|address|destination|link|long url)$/i

/** Lines of `address, title, code`. A comma inside an address has no blank behind it, so it stays there. */
export function parseLines(text: string): BulkRow[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({ line: at + 1, ...splitLine(line.trim()) }))
    .filter(({ address }) => address !== '' && !HEADS.test(address))
    .map(({ line, address, rest }) => {
      const [title, code] = parseCsv(rest)[0]?.fields ?? []
      return { line, link: newLink(address, title, code) }
    })
}

function splitLine(line: string): { address: string; rest: string } {
  if (line.startsWith('"')) {
    const [address = '', ...rest] = parseCsv(line)[0]?.fields ?? []
    return { address, rest: rest.map(quoted).join(',') }
  }
  const end = /,\s|\t|,$/.exec(line)
  if (end === null) return { address: line, rest: '' }
  return { address: line.slice(0, end.index).trim(), rest: line.slice(end.index + 1).trim() }
}

/** A CSV file as the lines that stand in the field: whoever dropped it sees, and can mend, what was understood. */
export function csvToLines(text: string): string {
  return parseCsv(text, separatorOf(text))
    .filter(({ fields: [address = ''] }) => !HEADS.test(address))
    .map(({ fields: [address = '', title = '', code = ''] }) => {
      const values = code !== '' ? [title, code] : title !== '' ? [title] : []
      return [address, ...values.map((value) => quoted(value.replace(/\s+/g, ' ')))].join(', ')
    })
    .join('\n')
}

const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

function newLink(address: string, title = '', code = ''): NewLinkInput {
  return {
    original_url: address,
    ...(title === '' ? {} : { title }),
    ...(code === '' ? {} : { custom_code: code }),
  }
}

export function inBatches<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  const batches: Item[][] = []
  for (let at = 0; at < items.length; at += sizeMax) batches.push(items.slice(at, at + sizeMax))
  return batches
}

/** What the server found, at the rows that it is about. */
export function refusedRows(rows: readonly BulkRow[], checked: readonly CheckedRow[]): RefusedRow[] {
  return checked.flatMap(({ index, errors }) => {
    // A missing address is reported under both of its names.
    const reasons = [...new Set(Object.values(errors).flat())]
    const row = rows[index]
    return row === undefined || reasons.length === 0 ? [] : [{ ...row, reasons }]
  })
}

/** The same from a refused request: `links.3.title` is about the row with index 3. */
export function rowsRefusedAs(
  rows: readonly BulkRow[],
  fields: Readonly<Record<string, string[]>>,
): RefusedRow[] {
  const checked = rows.map((_, index) => ({ index, errors: {} as Record<string, string[]> }))
  for (const [field, sentences] of Object.entries(fields)) {
    const [, index, name = 'link'] = /^links\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    const row = index === undefined ? undefined : checked[Number(index)]
    if (row !== undefined) row.errors[name] = sentences
  }
  return refusedRows(rows, checked)
}

/** Codes that stand on an earlier line already. The server sees a hundred lines at once, and so not all of them. */
export function repeatedCodes(rows: readonly BulkRow[]): RefusedRow[] {
  const lineOf = new Map<string, number>()
  return rows.flatMap((row) => {
    const { custom_code: code } = row.link
    if (code === undefined) return []
    const earlier = lineOf.get(code)
    if (earlier !== undefined) return [{ ...row, reasons: [laterWords.bulk.repeated(String(earlier))] }]
    lineOf.set(code, row.line)
    return []
  })
}
