import {
  COLUMN_KINDS,
  columnsOf,
  columnsWithoutHeader,
  hasNames,
  isHeader,
  isUrl,
  type NamedColumns,
  plainName,
} from './csv-columns.ts'
import { type CsvFormat, csvFormat, csvRows, DELIMITERS } from './csv-records.ts'
import { type CsvDialect, type ReadRow, rowReader } from './csv-row.ts'
import { type CsvTable, rowsOfLinks } from './csv-table.ts'
import { type ClickTable, columnsOfClicks, linksByClicks } from './table-of-clicks.ts'
import { type ImportFile, unreadable } from './import-file.ts'
import { type DateOrder, provenOrder } from './read-date.ts'
import { encodingOf } from './text-encoding.ts'
import type { OpenedFile, SourceItem, SourceOptions } from '../source.ts'

const COLUMNS_MAX = 1_000
const TOO_MANY_COLUMNS =
  'has more than 1,000 columns in its first row. If they are separated by another character, name it with --delimiter.'
const NAME_LENGTH_MAX = 80

/** A table of links: its encoding, delimiter and columns are recognized, and can be named. */
export async function openCsv(
  file: ImportFile,
  options: SourceOptions,
  dialect: CsvDialect = {},
): Promise<OpenedFile & { header: readonly string[] | undefined }> {
  const format = csvFormat(file, await encodingOf(file, options.encoding), options.delimiter)
  const layout = await layoutOf(file, format, { ...options, ...dialect })
  const { header = [] } = layout
  const { clickTable: table } = dialect
  if (table !== undefined && hasColumns(header, columnsOfClicks(table))) {
    const day = header.findIndex((name) => plainName(name) === plainName(table.day))
    const order = await dateOrderOf(file, format, [day])
    const items = linksByClicks(file, { ...layout, order }, table)
    return { header, description: [`a table of ${table.title}`], uses: ['delimiter', 'encoding'], items }
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
    uses: ['columns', 'delimiter', 'encoding', 'hasHeader'],
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
  { columns: named, names, hasHeader, delimiter }: SourceOptions & CsvDialect,
): Promise<CsvTable> {
  const head = await headOf(file, format)
  const [first] = head
  if (first === undefined)
    return { ...format, columns: new Map(), header: undefined, width: 0, rowsAbove: 0, order: undefined }
  if (delimiter === undefined && isQuotedRow(first)) throw unreadable(file.path, QUOTED_ROWS)
  const rowsAbove = rowsAboveLinks(head, { named, hasHeader })
  const ofProgram = names?.length === first.length ? names : undefined
  const header = rowsAbove > 0 ? head[rowsAbove - 1] : ofProgram
  const withUrl = head.find((cells) => cells.some(isUrl)) ?? first
  const { length: width } = header ?? withUrl
  if (first.length > COLUMNS_MAX || width > COLUMNS_MAX) throw unreadable(file.path, TOO_MANY_COLUMNS)
  const columns = header === undefined ? columnsWithoutHeader(withUrl, named) : columnsOf(header, named)
  const dates = DATES.flatMap((kind) => columns.get(kind) ?? [])
  return { ...format, columns, header, width, rowsAbove, order: await dateOrderOf(file, format, dates) }
}

/** A report may have its title and its date above the names. */
const HEAD_ROWS_MAX = 10

async function headOf(file: ImportFile, format: CsvFormat): Promise<string[][]> {
  const head: string[][] = []
  for await (const row of csvRows(file, format)) {
    if ('refused' in row || head.length === HEAD_ROWS_MAX) break
    head.push(row.cells)
  }
  return head
}

const QUOTED_ROWS =
  'has each row in quotes as one value, as a spreadsheet writes what it did not separate. Export the table again.'

/** Whether the one value of a row is a row of names itself. */
const isQuotedRow = ([cell, ...others]: readonly string[]): boolean =>
  others.length === 0 &&
  Object.keys(DELIMITERS).some((delimiter) => {
    const columns = columnsOf(cell!.split(delimiter).slice(0, COLUMNS_MAX), new Map())
    return columns.size > 1 && columns.has('destination')
  })

type NamedHeader = { named: NamedColumns; hasHeader: boolean | undefined }

/** Above the first URL. */
function rowsAboveLinks(head: readonly string[][], { named, hasHeader }: NamedHeader): number {
  if (hasHeader === false) return 0
  const firstUrl = head.findIndex((cells) => cells.some(isUrl))
  const above = head.slice(0, firstUrl < 0 ? undefined : firstUrl)
  const namesAt = above.findIndex((cells) => isHeader(cells) || hasNames(cells, named))
  return namesAt < 0 && hasHeader === true ? 1 : namesAt + 1
}

const DATES = ['created', 'starts', 'expires'] as const

/** What the dates of the whole file prove. */
async function dateOrderOf(
  file: ImportFile,
  format: CsvFormat,
  places: readonly number[],
): Promise<DateOrder | undefined> {
  if (places.length === 0) return undefined
  const orders = new Set<DateOrder>()
  for await (const row of csvRows(file, format)) {
    if ('refused' in row) break
    for (const place of places) {
      const order = provenOrder(row.cells[place] ?? '')
      if (order !== undefined) orders.add(order)
    }
  }
  const [order, other] = orders
  return other === undefined ? order : undefined
}

async function* itemsOf(file: ImportFile, layout: CsvTable, dialect: CsvDialect): AsyncGenerator<SourceItem> {
  const read = rowReader(layout, dialect)
  const names = layout.header?.map(plainName) ?? []
  for await (const row of rowsOfLinks(file, layout)) {
    const at = `line ${row.line}`
    if ('refused' in row) yield { at, refused: row.refused }
    // Files that were put together have the names again.
    else if (!isRowOfNames(row.cells, names)) yield* itemsAt(at, read(row.cells))
  }
}

const isRowOfNames = (cells: readonly string[], names: readonly string[]): boolean =>
  cells.length === names.length && cells.every((cell, at) => plainName(cell) === names[at])

/** What a row or an object is: links, or none. */
export const itemsAt = (at: string, read: ReadRow): SourceItem[] =>
  'refused' in read ? [{ at, ...read }] : read.links.map((link) => ({ at, link }))

const NO_CODES = '  no column has codes: each link gets a new one'

function descriptionOf({
  encoding,
  delimiter,
  columns,
  header,
  width,
  rowsAbove,
  order,
}: CsvTable): string[] {
  const name = (at: number) => header?.[at]?.slice(0, NAME_LENGTH_MAX) || `column ${at + 1}`
  const used = COLUMN_KINDS.flatMap((kind) => {
    const at = columns.get(kind)
    return at === undefined ? [] : [`  ${kind}: ${name(at)}`]
  })
  const places = new Set(columns.values())
  const unused = Array.from({ length: width }, (_, at) => at)
    .filter((at) => !places.has(at))
    .map(name)
  const dates = order === undefined ? '' : `, dates with the ${order === 'dayFirst' ? 'day' : 'month'} first`
  return [
    `CSV in ${encoding}, separated by ${DELIMITERS[delimiter] ?? delimiter}, ${rowsAbove > 0 ? 'with' : 'without'} a row of names${dates}`,
    ...used,
    ...(columns.has('code') || columns.has('short-url') ? [] : [NO_CODES]),
    ...(unused.length > 0 ? [`  not used: ${unused.join(', ')}`] : []),
  ]
}
