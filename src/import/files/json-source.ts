import type { SourceApi } from '../network/source-api.ts'
import type { Source, SourceItem } from '../source.ts'
import type { CsvDialect, ReadRow } from './csv-row.ts'
import { FieldReader } from './field-reader.ts'
import { unreadable } from './import-file.ts'
import { type JsonObject, jsonPage, looksLikeJson } from './json-pages.ts'
import { itemsAt, openCsv } from './open-csv.ts'
import { encodingOf } from './text-encoding.ts'
import { isObject } from '../../validation/is-object.ts'

type JsonProgram = {
  /** As people write it. */
  title: string
  /** Where a page of its API has the list. */
  list(page: unknown): unknown
  /** Whether a page says that there are others behind it. */
  hasMore?(page: unknown): boolean
  links(fields: FieldReader): ReadRow
  /** A sentence for each thing that cannot come along, beside those of the reader. */
  lost?(fields: FieldReader): string[]
  /** Absent if it exports no CSV. */
  csv?: CsvDialect
  /** How its API is read over the network. */
  api?: SourceApi
}

/** A program whose API answers pages of links in JSON. */
export const jsonSource = ({ title, list, hasMore, csv, api, ...program }: JsonProgram): Source => ({
  title,
  async open(file, options) {
    const encoding = await encodingOf(file, options.encoding)
    if (looksLikeJson(file, encoding)) {
      const { page, items } = await jsonPage(file, encoding, list)
      const more = hasMore?.(page) === true ? MORE : []
      const description = [`${items.length} links of ${title} in JSON`, ...more]
      return { description, uses: ['encoding'], items: itemsOfAll(items, program) }
    }
    if (csv !== undefined) return openCsv(file, options, csv)
    throw unreadable(file.path, `is not JSON, as the API of ${title} answers. The source csv reads tables.`)
  },
  network: api && {
    title,
    api: { ...api, links: { ...api.links, items: list } },
    items: (object, number) => itemsOf(object, number, program),
  },
})

const MORE = ['  There are more behind this page: the next one is another file.']

async function* itemsOfAll(objects: readonly unknown[], program: LinkReading): AsyncGenerator<SourceItem> {
  for (const [index, object] of objects.entries()) yield* itemsOf(object, index + 1, program)
}

const itemsOf = (object: unknown, number: number, program: LinkReading): SourceItem[] =>
  itemsAt(`link ${number}`, isObject(object) ? linksOf(object, program) : NOT_AN_OBJECT)

export type LinkReading = Pick<JsonProgram, 'links' | 'lost'>

/** What an object of a program says, with what is lost. */
export function linksOf(object: JsonObject, { links, lost = () => [] }: LinkReading): ReadRow {
  const fields = new FieldReader(object)
  const read = links(fields)
  if ('refused' in read) return read
  const ofProgram = lost(fields)
  return { links: read.links.map((link) => ({ ...link, lost: [...fields.lost, ...ofProgram] })) }
}

const NOT_AN_OBJECT = { refused: 'It is not a JSON object.' }
