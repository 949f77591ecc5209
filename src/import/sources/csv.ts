import {
  type Columns,
  COLUMN_KINDS,
  columnsOf,
  columnsWithoutHeader,
  isHeader,
} from '../files/csv-columns.ts'
import { type CsvFormat, csvFormat, csvRows, DELIMITERS } from '../files/csv-records.ts'
import type { ImportFile } from '../files/import-file.ts'
import { type DateOrder, provenOrder } from '../files/read-date.ts'
import { encodingOf } from '../files/text-encoding.ts'
import { rowReader } from '../files/csv-row.ts'
import type { OpenedSource, Source, SourceItem, SourceOptions } from '../source.ts'
import { isTernHeader, openTernCsv } from './tern.ts'

/** A table of links of any program: its encoding, delimiter and columns are recognized, and can be named. */
export const csv: Source = { open: openCsv }

type Layout = CsvFormat & { columns: Columns; header: string[] | undefined; order: DateOrder | undefined }

async function openCsv(file: ImportFile, options: SourceOptions): Promise<OpenedSource> {
  const format = csvFormat(file, await encodingOf(file, options.encoding), options.delimiter)
  const layout = await layoutOf(file, format, options)
  if (layout.header !== undefined && isTernHeader(layout.header)) return openTernCsv(file)
  return { description: descriptionOf(layout), items: itemsOf(file, layout) }
}

async function layoutOf(
  file: ImportFile,
  format: CsvFormat,
  { columns: named }: SourceOptions,
): Promise<Layout> {
  let layout: Layout | undefined
  const orders = new Set<DateOrder>()
  for await (const row of csvRows(file, format)) {
    if ('refused' in row) break
    const { cells } = row
    if (layout === undefined) {
      const header = isHeader(cells) ? cells : undefined
      const columns = header === undefined ? columnsWithoutHeader(cells, named) : columnsOf(cells, named)
      layout = { ...format, columns, header, order: undefined }
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
    ? { ...format, columns: new Map(), header: undefined, order: undefined }
    : { ...layout, order: proven }
}

async function* itemsOf(file: ImportFile, layout: Layout): AsyncGenerator<SourceItem> {
  const read = rowReader(layout)
  let isFirst = true
  for await (const row of csvRows(file, layout)) {
    const isNames = isFirst && layout.header !== undefined
    isFirst = false
    const at = `line ${row.line}`
    if ('refused' in row) yield { at, refused: row.refused }
    else if (!isNames) yield { at, ...read(row.cells) }
  }
}

function descriptionOf({ encoding, delimiter, columns, header, order }: Layout): string[] {
  const name = (at: number) => header?.[at] ?? `column ${at + 1}`
  const used = COLUMN_KINDS.flatMap((kind) => {
    const at = columns.get(kind)
    return at === undefined ? [] : [`  ${kind}: ${name(at)}`]
  })
  const places = new Set(columns.values())
  const unused = header?.filter((_, at) => !places.has(at)) ?? []
  const dates = order === undefined ? '' : `, dates with the ${order === 'dayFirst' ? 'day' : 'month'} first`
  return [
    `CSV in ${encoding}, separated by ${DELIMITERS[delimiter] ?? delimiter}, ${header ? 'with' : 'without'} a row of names${dates}`,
    ...used,
    ...(unused.length > 0 ? [`  not used: ${unused.join(', ')}`] : []),
  ]
}
