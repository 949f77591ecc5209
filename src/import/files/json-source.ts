import type { Source, SourceItem } from '../source.ts'
import type { CsvDialect, ReadRow } from './csv-row.ts'
import { FieldReader } from './field-reader.ts'
import { unreadable } from './import-file.ts'
import { isJsonObject, jsonItems, looksLikeJson } from './json-pages.ts'
import { itemsAt, openCsv } from './open-csv.ts'
import { encodingOf } from './text-encoding.ts'

type JsonProgram = {
  /** As people write it. */
  title: string
  /** Where a page of its API has the list. */
  list(page: unknown): unknown
  /** `lost` of its links has what the reader has lost, too. */
  links(fields: FieldReader): ReadRow
  /** Absent if it exports no CSV. */
  csv?: CsvDialect
}

/** A program whose API answers pages of links in JSON. */
export const jsonSource = ({ title, list, links, csv }: JsonProgram): Source => ({
  async open(file, options) {
    const encoding = await encodingOf(file, options.encoding)
    if (looksLikeJson(file, encoding)) {
      const items = await jsonItems(file, encoding, list)
      return { description: [`${items.length} links of ${title} in JSON`], items: itemsOf(items, links) }
    }
    if (csv !== undefined) return openCsv(file, options, csv)
    throw unreadable(file.path, `is not JSON, as the API of ${title} answers. The source csv reads tables.`)
  },
})

async function* itemsOf(items: readonly unknown[], links: JsonProgram['links']): AsyncGenerator<SourceItem> {
  for (const [index, fields] of items.entries()) {
    const at = `link ${index + 1}`
    yield* itemsAt(at, isJsonObject(fields) ? links(new FieldReader(fields)) : NOT_AN_OBJECT)
  }
}

const NOT_AN_OBJECT = { refused: 'It is not a JSON object.' }
