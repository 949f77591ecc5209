import type { SourceItem } from '../source.ts'
import { ClickHistory } from './click-history.ts'
import { plainName } from './csv-columns.ts'
import { shortUrlParts } from './csv-row.ts'
import { type CsvTable, rowsOfLinks } from './csv-table.ts'
import type { ImportFile } from './import-file.ts'

/** A table with a row for each click of a link, or for each of its days, by the names of its columns. */
export type ClickTable = {
  /** What it is a table of. */
  title: string
  shortUrl: string
  destination: string
  day: string
  /** All others that it must have. */
  others: readonly string[]
  /** Counts what a row has. */
  add(history: ClickHistory, cell: (column: string) => string): void
  /** The code as links have it. */
  code?(code: string): string
}

export const columnsOfClicks = ({ shortUrl, destination, day, others }: ClickTable): string[] => [
  shortUrl,
  destination,
  day,
  ...others,
]

type CountedLink = { line: number; destination: string; history: ClickHistory }

/** The links of such a table, each once with all of its clicks. */
export async function* linksByClicks(
  file: ImportFile,
  layout: CsvTable,
  table: ClickTable,
): AsyncGenerator<SourceItem> {
  const places = new Map(layout.header?.map((name, at) => [plainName(name), at]))
  const links = new Map<string, CountedLink>()
  for await (const row of rowsOfLinks(file, layout)) {
    if ('refused' in row) yield { at: `line ${row.line}`, refused: row.refused }
    else {
      const cell = (column: string): string => row.cells[places.get(plainName(column))!] ?? ''
      const shortUrl = cell(table.shortUrl)
      const known = links.get(shortUrl)
      const destination = cell(table.destination)
      const link = known ?? { line: row.line, destination, history: new ClickHistory() }
      if (known === undefined) links.set(shortUrl, link)
      table.add(link.history, cell)
    }
  }
  for (const [shortUrl, { line, destination, history }] of links)
    yield { at: `line ${line}`, link: { ...placeOf(shortUrl, table), destination, ...countsOf(history) } }
}

function placeOf(shortUrl: string, { code = (text) => text }: ClickTable) {
  const parts = shortUrlParts(shortUrl)
  return parts && { domain: parts.domain, code: code(parts.code) }
}

const countsOf = ({ dated, clicksBy }: ClickHistory) => ({ clicks: dated, clicksBy })
