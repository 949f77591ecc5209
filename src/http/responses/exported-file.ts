import { BYTE_ORDER_MARK, csvLine } from '../../export/csv-line.ts'
import { dayOf, isoDay } from '../../runtime/clock.ts'
import { choice } from '../../validation/field-rules.ts'
import { streamedFile } from './streamed-file.ts'

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const
/** The parameter of exports. */
export const exportFormat = { format: choice(EXPORT_FORMATS).default('csv') }
export const EXPORT_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

type ExportedFile<Item, View extends object> = {
  format: keyof typeof EXPORT_TYPES
  /** The start of its name, before the day. */
  name: string
  nowUs: number
  pages: AsyncIterable<readonly Item[]>
  /** The JSON object of an item. */
  view(item: Item): View
  /** The columns of CSV. */
  head: readonly string[]
  /** The cells of a line; by default the fields that the columns are named after. */
  cellsOf?(view: View): readonly unknown[]
  /** Called once it is sent, has failed, or nobody reads it any more. */
  onEnd(): void
}

/** A list as a file: CSV with a header row, or a JSON object for each line. */
export function exportedFile<Item, View extends object>(file: ExportedFile<Item, View>): Promise<Response> {
  const { format, onEnd } = file
  return streamedFile({
    name: fileName(file, format),
    type: EXPORT_TYPES[format],
    pages: format === 'csv' ? csvTexts(file) : jsonTexts(file),
    onEnd,
  })
}

/** With the day on which it was made. */
export const fileName = ({ name, nowUs }: { name: string; nowUs: number }, ending: string): string =>
  `${name}-${isoDay(dayOf(nowUs))}.${ending}`

async function* jsonTexts<Item, View extends object>({
  pages,
  view,
}: ExportedFile<Item, View>): AsyncGenerator<string[]> {
  for await (const items of pages) yield items.map((item) => JSON.stringify(view(item)) + '\n')
}

async function* csvTexts<Item, View extends object>({
  pages,
  view,
  head,
  cellsOf = (fields) => head.map((name) => (fields as Record<string, unknown>)[name]),
}: ExportedFile<Item, View>): AsyncGenerator<string[]> {
  yield [BYTE_ORDER_MARK + csvLine(head)]
  for await (const items of pages) yield items.map((item) => csvLine(cellsOf(view(item))))
}
