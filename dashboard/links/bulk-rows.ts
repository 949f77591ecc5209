import type { NewLink } from '../api-client.ts'
import { parseCsv } from '../csv.ts'

/** One request of the API takes so many. */
export const BATCH_MAX = 100
export const ROWS_MAX = 5_000

export type BulkRow = { line: number; link: NewLink }
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
  return parseCsv(text)
    .filter(({ fields: [address = ''] }) => !HEADS.test(address))
    .map(({ fields: [address = '', title = '', code = ''] }) => {
      const values = code !== '' ? [title, code] : title !== '' ? [title] : []
      return [address, ...values.map(quoted)].join(', ')
    })
    .join('\n')
}

const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

function newLink(address: string, title = '', code = ''): NewLink {
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

/** The API's errors of a batch, `links.<index>.<field>`, at the rows that they are about. */
export function refusedRows(rows: readonly BulkRow[], errors: Record<string, string[]>): RefusedRow[] {
  const reasons = new Map<number, string[]>()
  for (const [field, sentences] of Object.entries(errors)) {
    const index = Number(/^links\.(\d+)\./.exec(field)?.[1] ?? -1)
    const known = reasons.get(index) ?? []
    // A missing address is reported under both of its names.
    reasons.set(index, [...known, ...sentences.filter((sentence) => !known.includes(sentence))])
  }
  return rows.flatMap((row, index) => (reasons.has(index) ? [{ ...row, reasons: reasons.get(index)! }] : []))
}
