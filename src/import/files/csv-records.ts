import { type CsvError, type Info, parse } from 'csv-parse'
import { type ImportFile, unreadable } from './import-file.ts'
import { type Encoding, headText, textOf } from './text-encoding.ts'

// Rows of CSV, read in pieces. A row has a limit, as a quote that is never closed would make one of the rest of the file.

export const DELIMITERS: Record<string, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}
const RECORD_BYTES_MAX = 1_000_000
/** Rows that are compared to find the delimiter. */
const SAMPLE_ROWS = 20

export type CsvFormat = { encoding: Encoding; delimiter: string; hasSeparatorLine: boolean }
/** `line`: where it begins. */
export type CsvRow = { line: number; cells: string[] } | { line: number; refused: string }

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

/** The one that most rows have as often as the first row has it. */
function likelyDelimiter(head: string): string {
  const scores = Object.keys(DELIMITERS).map((delimiter) => {
    const [first = 0, ...others] = countsByRow(head, delimiter).slice(0, SAMPLE_ROWS)
    return { delimiter, first, same: others.filter((count) => count === first).length }
  })
  const [best] = scores.filter(({ first }) => first > 0).sort((a, b) => b.same - a.same || b.first - a.first)
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
  const rows: CsvRow[] = []
  let nextLine = 1
  let failure: CsvError | undefined
  const parser = parse({
    delimiter: format.delimiter,
    from_line: format.hasSeparatorLine ? 2 : 1,
    trim: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: RECORD_BYTES_MAX,
    // Taken here, since what is in the stream's buffer is lost when a later row cannot be read.
    on_record(cells: string[], { lines }: Info) {
      rows.push({ line: lines - linesIn(cells), cells })
      nextLine = lines + 1
      return null
    },
  })
  parser.on('error', (error) => (failure = error as CsvError)).resume()
  for await (const text of textOf(file, format.encoding)) {
    await settled((settle) => parser.write(text, () => settle()))
    yield* rows.splice(0)
    if (failure !== undefined) break
  }
  if (failure === undefined) await settled((settle) => parser.once('close', settle).end())
  yield* rows.splice(0)
  if (failure !== undefined) yield { line: nextLine, refused: reasonOf(failure) }
}

const settled = (act: (settle: () => void) => void) => new Promise<void>((resolve) => act(resolve))

const linesIn = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)

function reasonOf({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return 'A quote is opened and never closed, so the rest of the file was not read.'
  if (code === 'CSV_MAX_RECORD_SIZE')
    return 'The row is longer than 1 MB: a quote may not be closed. The rest of the file was not read.'
  return `The row cannot be read: ${message}. The rest of the file was not read.`
}
