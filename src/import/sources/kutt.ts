import { foreignRows, UnreadableDatabase } from '../../store/sqlite/foreign-database.ts'
import { shortUrlParts } from '../files/csv-row.ts'
import type { FieldReader } from '../files/field-reader.ts'
import { type ImportFile, startsWith, unreadable } from '../files/import-file.ts'
import { memberAt } from '../files/json-pages.ts'
import { jsonSource, type LinkReading, linksOf } from '../files/json-source.ts'
import { itemsAt } from '../files/open-csv.ts'
import { numberAt, skipOf, type SourceApi, textAt } from '../network/source-api.ts'
import { TITLE_LENGTH_MAX } from '../../links/fields/basic-fields.ts'
import type { Source, SourceItem, SourceLink } from '../source.ts'
import { isObject } from '../../validation/is-object.ts'

const reading: LinkReading = {
  links: (fields) => ({
    links: [
      {
        ...linkOf(fields),
        domain: fields.text('domain') ?? shortUrlParts(shortUrlIn(fields))?.domain,
      },
    ],
  }),
  lost: (fields) =>
    fields.isSet('banned') ? ['An administrator of Kutt banned it, so it is imported disabled.'] : [],
}

const api: SourceApi = {
  credentials: (key) => ({ headers: { 'X-API-Key': key } }),
  links: {
    request: ({ cursor = '0' }) => ({ path: '/api/v2/links', query: { limit: '50', skip: cursor } }),
    id: textAt('id'),
    next: skipOf,
    total: numberAt('total'),
  },
}

const pages = jsonSource({ title: 'Kutt', list: memberAt('data'), ...reading, api })

/** Pages of `GET /api/v2/links`, also those of an administrator, and its SQLite database. */
export const kutt: Source = {
  title: pages.title,
  async open(file, options) {
    if (!startsWith(file.head, 'SQLite format 3\0')) return pages.open(file, options)
    return { description: ['the SQLite database of Kutt'], items: itemsOf(file) }
  },
  network: pages.network,
}

/** An administrator gets an object. */
function shortUrlIn(fields: FieldReader): string {
  const { link } = fields.fields
  return (isObject(link) ? fields.part('link').text('url') : fields.text('link')) ?? ''
}

// Not its users: they have passwords and keys.
const TABLES = ['links', 'domains']
const LINKS = `SELECT links.address, domains.address AS domain, target, description, password, expire_in, visit_count,
  links.banned, links.created_at
  FROM links LEFT JOIN domains ON domains.id = links.domain_id ORDER BY links.id`

async function* itemsOf({ path }: ImportFile): AsyncGenerator<SourceItem> {
  let count = 0
  try {
    for (const row of foreignRows(path, { tables: TABLES, query: LINKS }))
      yield* itemsAt(`link ${++count}`, linksOf(row, reading))
  } catch (error) {
    if (!(error instanceof UnreadableDatabase)) throw error
    throw unreadable(path, `is not a database of Kutt that can be read: ${error.message}.`)
  }
}

/** Its one text is a title if it looks like one. */
function linkOf(fields: FieldReader): SourceLink {
  const description = fields.text('description')
  const isTitle =
    description !== undefined && description.length <= TITLE_LENGTH_MAX && !/[\r\n]/.test(description)
  return {
    code: fields.text('address'),
    destination: fields.text('target'),
    ...(isTitle ? { title: description } : { notes: description }),
    createdAt: fields.time('created_at'),
    expiresAt: fields.time('expire_in'),
    clicks: fields.number('visit_count'),
    isDisabled: fields.isSet('banned'),
    // A hash in its database, and whether there is one in its API.
    ...fields.passwordHash('password'),
  }
}
