import { type CsvRow, CsvSplitter } from './csv-splitter.ts'
import { type ImportFile, unreadable } from './import-file.ts'
import { type Encoding, headText, textOf } from './text-encoding.ts'

// Rows of CSV, read in pieces.

export const DELIMITERS: Record<string, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}
/** Rows that are compared to find the delimiter. */
const SAMPLE_ROWS = 20

export type CsvFormat = { encoding: Encoding; delimiter: string; hasSeparatorLine: boolean }

/** Excel reads and hides it. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i

export function csvFormat(file: ImportFile, encoding: Encoding, named?: string): CsvFormat {
  const head = headText(file, encoding)
  const separator = SEPARATOR_LINE.exec(head)
  const delimiter = named === undefined ? (separator?.[1] ?? likelyDelimiter(head)) : namedDelimiter(named)
  return { encoding, delimiter, hasSeparatorLine: separator !== null }
}

function namedDelimiter(named: string): string {
  const delimiter = named === '\\t' || named === 'tab' ? '\t' : named
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter))
    throw unreadable('--delimiter', 'must be one character, or tab.')
  return delimiter
}

/** The one that most rows have equally often. Titles above the names may have none. */
function likelyDelimiter(head: string): string {
  const scores = Object.keys(DELIMITERS).flatMap((delimiter) => {
    const counts = countsByRow(head, delimiter).slice(0, SAMPLE_ROWS)
    return [...Map.groupBy(counts, Number)].map(([count, rows]) => ({ delimiter, count, rows: rows.length }))
  })
  const [best] = scores.filter(({ count }) => count > 0).sort((a, b) => b.rows - a.rows || b.count - a.count)
  return best?.delimiter ?? ','
}

/** How often each row has the delimiter outside of quotes. */
function countsByRow(text: string, delimiter: string): number[] {
  const counts: number[] = []
  let count = 0
  let isQuoted = false
  let length = 0
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (character === '\n' && !isQuoted) {
      if (length > 0) counts.push(count)
      count = length = 0
      continue
    }
    if (character !== '\r') length++
    if (character === delimiter && !isQuoted) count++
  }
  return length > 0 ? [...counts, count] : counts
}

export async function* csvRows(file: ImportFile, format: CsvFormat): AsyncGenerator<CsvRow, void> {
  const splitter = new CsvSplitter(format.delimiter)
  let isFirst = format.hasSeparatorLine
  for await (const text of textOf(file, format.encoding)) {
    for (const row of splitter.rows(text)) {
      if (!isFirst) yield row
      isFirst = false
    }
    if (splitter.hasEnded) return
  }
  yield* splitter.rows('', true)
}
