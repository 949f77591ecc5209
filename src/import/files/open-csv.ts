import { COLUMN_KINDS, columnsOf, columnsWithoutHeader, isHeader, plainName } from './csv-columns.ts'
import { type CsvFormat, csvFormat, csvRows, DELIMITERS } from './csv-records.ts'
import { type CsvDialect, type ReadRow, rowReader } from './csv-row.ts'
import type { CsvTable } from './csv-table.ts'
import { type ClickTable, columnsOfClicks, linksByClicks } from './table-of-clicks.ts'
import { type ImportFile, unreadable } from './import-file.ts'
import { type DateOrder, provenOrder } from './read-date.ts'
import { encodingOf } from './text-encoding.ts'
import type { OpenedSource, SourceItem, SourceOptions } from '../source.ts'

const COLUMNS_MAX = 1_000
const TOO_MANY_COLUMNS =
  'has more than 1,000 columns in its first row. If they are separated by another character, name it with --delimiter.'
const NAME_LENGTH_MAX = 80

/** A table of links: its encoding, delimiter and columns are recognized, and can be named. */
export async function openCsv(
  file: ImportFile,
  options: SourceOptions,
  dialect: CsvDialect = {},
): Promise<OpenedSource & { header: readonly string[] | undefined }> {
  const format = csvFormat(file, await encodingOf(file, options.encoding), options.delimiter)
  const layout = await layoutOf(file, format, { ...options, ...dialect })
  const { header = [] } = layout
  const { clickTable: table } = dialect
  if (table !== undefined && hasColumns(header, columnsOfClicks(table))) {
    const items = linksByClicks(file, layout, { header, table })
    return { header, description: [`a table of ${table.title}`], items }
  }
  if (table !== undefined && lacksDestination(header, table))
    throw unreadable(
      file.path,
      `has clicks without the column ${table.destination}. Export it with all columns.`,
    )
  return {
    header: layout.header,
    table: layout,
    description: descriptionOf(layout),
    items: itemsOf(file, layout, dialect),
  }
}

const lacksDestination = (header: readonly string[], { shortUrl, day, destination }: ClickTable): boolean =>
  hasColumns(header, [shortUrl, day]) && !hasColumns(header, [destination])

function hasColumns(header: readonly string[], columns: readonly string[]): boolean {
  const names = new Set(header.map(plainName))
  return columns.every((column) => names.has(plainName(column)))
}

async function layoutOf(
  file: ImportFile,
  format: CsvFormat,
  { columns: named, names, hasHeader }: SourceOptions & CsvDialect,
): Promise<CsvTable> {
  let layout: CsvTable | undefined
  const orders = new Set<DateOrder>()
  for await (const row of csvRows(file, format)) {
    if ('refused' in row) break
    const { cells } = row
    if (layout === undefined) {
      const hasNames = hasHeader ?? isHeader(cells)
      if (cells.length > COLUMNS_MAX) throw unreadable(file.path, TOO_MANY_COLUMNS)
      const header = hasNames ? cells : names?.length === cells.length ? names : undefined
      const columns = header === undefined ? columnsWithoutHeader(cells, named) : columnsOf(header, named)
      layout = { ...format, columns, header, hasNames, order: undefined }
      // Only dates need a look at the whole file.
      if (!columns.has('created') && !columns.has('expires')) return layout
    }
    for (const kind of ['created', 'expires'] as const) {
      const order = provenOrder(cells[layout.columns.get(kind) ?? -1] ?? '')
      if (order !== undefined) orders.add(order)
    }
  }
  const [order, other] = orders
  const proven = other === undefined ? order : undefined
  return layout === undefined
    ? { ...format, columns: new Map(), header: undefined, hasNames: false, order: undefined }
    : { ...layout, order: proven }
}

async function* itemsOf(file: ImportFile, layout: CsvTable, dialect: CsvDialect): AsyncGenerator<SourceItem> {
  const read = rowReader(layout, dialect)
  let isFirst = true
  for await (const row of csvRows(file, layout)) {
    const isNames = isFirst && layout.hasNames
    isFirst = false
    const at = `line ${row.line}`
    if ('refused' in row) yield { at, refused: row.refused }
    else if (!isNames) yield* itemsAt(at, read(row.cells))
  }
}

/** What a row or an object is: links, or none. */
export const itemsAt = (at: string, read: ReadRow): SourceItem[] =>
  'refused' in read ? [{ at, ...read }] : read.links.map((link) => ({ at, link }))

function descriptionOf({ encoding, delimiter, columns, header, hasNames, order }: CsvTable): string[] {
  const name = (at: number) => header?.[at]?.slice(0, NAME_LENGTH_MAX) || `column ${at + 1}`
  const used = COLUMN_KINDS.flatMap((kind) => {
    const at = columns.get(kind)
    return at === undefined ? [] : [`  ${kind}: ${name(at)}`]
  })
  const places = new Set(columns.values())
  const unused = [...(header?.keys() ?? [])].filter((at) => !places.has(at)).map(name)
  const dates = order === undefined ? '' : `, dates with the ${order === 'dayFirst' ? 'day' : 'month'} first`
  return [
    `CSV in ${encoding}, separated by ${DELIMITERS[delimiter] ?? delimiter}, ${hasNames ? 'with' : 'without'} a row of names${dates}`,
    ...used,
    ...(unused.length > 0 ? [`  not used: ${unused.join(', ')}`] : []),
  ]
}
