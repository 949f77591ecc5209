import type { SourceItem } from '../source.ts'
import { ClickHistory } from './click-history.ts'
import { plainName } from './csv-columns.ts'
import { type CsvFormat, csvRows } from './csv-records.ts'
import { shortUrlParts } from './csv-row.ts'
import { wholeNumber } from './field-reader.ts'
import type { ImportFile } from './import-file.ts'
import { readTime } from './read-date.ts'

/** Columns of a table that has a row for each day of a link, by their names. */
export type DayTable = { day: string; shortUrl: string; destination: string; clicks: string }

type CountedLink = { line: number; destination: string; history: ClickHistory }

/** The links of such a table, each once with all of its days. */
export async function* linksByDay(
  file: ImportFile,
  format: CsvFormat,
  { header, table }: { header: readonly string[]; table: DayTable },
): AsyncGenerator<SourceItem> {
  const names = header.map(plainName)
  const places = Object.values(table).map((name) => names.indexOf(plainName(name)))
  const links = new Map<string, CountedLink>()
  let isFirst = true
  for await (const row of csvRows(file, format)) {
    const isNames = isFirst
    isFirst = false
    if ('refused' in row) yield { at: `line ${row.line}`, refused: row.refused }
    else if (!isNames) {
      const [day = '', shortUrl = '', destination = '', clicks = ''] = places.map((at) => row.cells[at] ?? '')
      const known = links.get(shortUrl)
      const link = known ?? { line: row.line, destination, history: new ClickHistory() }
      if (known === undefined) links.set(shortUrl, link)
      link.history.addDay(readTime(day, []) ?? '', wholeNumber(clicks) ?? 0)
    }
  }
  for (const [shortUrl, { line, destination, history }] of links) {
    const link = {
      ...shortUrlParts(shortUrl),
      destination,
      clicks: history.dated,
      clicksBy: history.clicksBy,
    }
    yield { at: `line ${line}`, link }
  }
}
