import type { SourceItem, SourceLink } from '../source.ts'
import { ClickHistory } from './click-history.ts'
import { plainName } from './csv-columns.ts'
import { shortUrlParts } from './csv-row.ts'
import { type CsvTable, rowsOfLinks } from './csv-table.ts'
import { wholeNumber } from './field-reader.ts'
import type { ImportFile } from './import-file.ts'
import { type DateOrder, readTime } from './read-date.ts'

/** A table with a row for each click of a link, or for each of its days, by the names of its columns. */
export type ClickTable = {
  /** What it is a table of. */
  title: string
  shortUrl: string
  destination: string
  day: string
  /** Of a row for each day; without it, a row is one click. */
  clicks?: string
  /** All others that it must have. */
  others?: readonly string[]
  /** Counts what a row has beside its day. */
  add?(history: ClickHistory, cell: Cell): void
  /** The code as links have it. */
  code?(code: string): string
}

type Cell = (column: string) => string

export const columnsOfClicks = ({
  shortUrl,
  destination,
  day,
  clicks,
  others = [],
}: ClickTable): string[] => [
  ...[shortUrl, destination, day, clicks].filter((column) => column !== undefined),
  ...others,
]

type CountedLink = SourceLink & { line: number; history: ClickHistory }

/** The links of such a table, each once with all of its clicks. */
export async function* linksByClicks(
  file: ImportFile,
  layout: CsvTable,
  table: ClickTable,
): AsyncGenerator<SourceItem> {
  const places = new Map(layout.header?.map((name, at) => [plainName(name), at]))
  const links = new Map<string, CountedLink>()
  for await (const row of rowsOfLinks(file, layout)) {
    const cell: Cell = (column) => ('cells' in row ? (row.cells[places.get(plainName(column))!] ?? '') : '')
    const read = 'refused' in row ? row : countOf(cell, table, layout.order)
    if ('refused' in read) yield { at: `line ${row.line}`, refused: read.refused }
    else {
      const shortUrl = cell(table.shortUrl)
      const link = links.get(shortUrl) ?? linkAt(row.line, cell, table)
      links.set(shortUrl, link)
      link.history.addDay(read.day, read.clicks)
      table.add?.(link.history, cell)
    }
  }
  for (const { line, history, ...link } of links.values())
    yield { at: `line ${line}`, link: { ...link, clicks: history.dated, clicksBy: history.clicksBy } }
}

/** What a row counts, or why it cannot be counted. */
function countOf(cell: Cell, { shortUrl, day, clicks }: ClickTable, order: DateOrder | undefined) {
  const faults: string[] = []
  const time = readTime(cell(day), faults, order)
  const count = clicks === undefined ? 1 : wholeNumber(cell(clicks))
  if (shortUrlParts(cell(shortUrl)) === undefined) return { refused: `"${cell(shortUrl)}" is no short URL.` }
  if (time === undefined) return { refused: faults[0]! }
  if (count === undefined) return { refused: `"${cell(clicks!)}" is no number of clicks.` }
  return { day: time, clicks: count }
}

function linkAt(line: number, cell: Cell, table: ClickTable): CountedLink {
  const { shortUrl, destination, code = (text) => text } = table
  const parts = shortUrlParts(cell(shortUrl))!
  const place = { domain: parts.domain, code: code(parts.code) }
  return { line, ...place, destination: cell(destination), history: new ClickHistory() }
}
