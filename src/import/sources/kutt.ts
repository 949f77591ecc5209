import { foreignRows, UnreadableDatabase } from '../../store/sqlite/foreign-database.ts'
import { shortUrlParts } from '../files/csv-row.ts'
import type { FieldReader } from '../files/field-reader.ts'
import { type ImportFile, startsWith, unreadable } from '../files/import-file.ts'
import { ClickHistory } from '../files/click-history.ts'
import { type JsonObject, memberAt, parsedJson } from '../files/json-pages.ts'
import { jsonSource, type LinkReading, linksOf } from '../files/json-source.ts'
import { itemsAt } from '../files/open-csv.ts'
import { lostParameters } from '../files/lost-parameters.ts'
import { numberAt, skipOf, type SourceApi, textAt } from '../network/source-api.ts'
import { KUTT_BROWSERS, KUTT_SYSTEMS, kuttReferrer, kuttStats } from './kutt-stats.ts'
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
  lost: (fields) => [
    ...(fields.isSet('banned') ? ['An administrator of Kutt banned it, so it is imported disabled.'] : []),
    ...lostParameters(fields, { destination: 'target', of: (parameter) => parameter }),
  ],
}

const api: SourceApi = {
  credentials: (key) => ({ headers: { 'X-API-Key': key } }),
  links: {
    request: ({ cursor = '0' }) => ({ path: '/api/v2/links', query: { limit: '50', skip: cursor } }),
    id: textAt('id'),
    next: skipOf,
    total: numberAt('total'),
  },
  clicks: kuttStats,
}

const pages = jsonSource({ title: 'Kutt', list: memberAt('data'), ...reading, api })

/** Pages of `GET /api/v2/links`, also those of an administrator, and its SQLite database. */
export const kutt: Source = {
  title: pages.title,
  async open(file, options) {
    if (!startsWith(file.head, 'SQLite format 3\0')) return pages.open(file, options)
    return { description: ['the SQLite database of Kutt'], uses: [], items: itemsOf(file) }
  },
  network: pages.network,
}

/** An administrator gets an object. */
function shortUrlIn(fields: FieldReader): string {
  const { link } = fields.fields
  return (isObject(link) ? fields.part('link').text('url') : fields.text('link')) ?? ''
}

// Not its users: they have passwords and keys.
const TABLES = ['links', 'domains', 'visits']
/** With the columns that count them. */
const columnsOf = (prefix: string, names: Record<string, string>): [column: string, name: string][] =>
  Object.entries(names).map(([column, name]) => [prefix + column, name])
const BROWSERS = columnsOf('br_', KUTT_BROWSERS)
const SYSTEMS = columnsOf('os_', KUTT_SYSTEMS)
const COLUMNS = [
  'created_at',
  'total',
  'countries',
  'referrers',
  ...[...BROWSERS, ...SYSTEMS].map(([column]) => column),
]
/** The visits of an hour. */
const VISIT = `json_object(${COLUMNS.map((name) => `'${name}', visits.${name}`).join(', ')})`
/** Newer versions have more columns. */
const LINKS = `SELECT links.*, domains.address AS domain, history.visits
  FROM links LEFT JOIN domains ON domains.id = links.domain_id
  LEFT JOIN (SELECT link_id, json_group_array(${VISIT}) AS visits FROM visits GROUP BY link_id) AS history
    ON history.link_id = links.id
  ORDER BY links.id`

async function* itemsOf({ path }: ImportFile): AsyncGenerator<SourceItem> {
  let count = 0
  try {
    for (const row of foreignRows(path, { tables: TABLES, query: LINKS }))
      yield* itemsAt(`link ${++count}`, linksOf(row, ofDatabase))
  } catch (error) {
    if (!(error instanceof UnreadableDatabase)) throw error
    throw unreadable(path, `is not a database of Kutt that can be read: ${error.message}.`)
  }
}

const ofDatabase: LinkReading = {
  ...reading,
  links(fields) {
    const read = reading.links(fields)
    const visits = parsedJson(fields.text('visits') ?? '[]')?.value
    const clicksBy = historyOf(Array.isArray(visits) ? visits.filter(isObject) : []).clicksBy
    return 'refused' in read ? read : { links: read.links.map((link) => ({ ...link, clicksBy })) }
  },
}

function historyOf(visits: readonly JsonObject[]): ClickHistory {
  const history = new ClickHistory()
  for (const visit of visits) {
    history.addDay(dateText(visit.created_at), countIn(visit.total))
    for (const [code, clicks] of countsIn(visit.countries)) history.addCountry(code, countIn(clicks))
    for (const [host, clicks] of countsIn(visit.referrers))
      history.addReferrer(kuttReferrer(host), countIn(clicks))
    for (const [column, name] of BROWSERS) history.add('browsers', name, countIn(visit[column]))
    for (const [column, name] of SYSTEMS) history.add('operating_systems', name, countIn(visit[column]))
  }
  return history
}

/** Some versions write milliseconds. */
const dateText = (value: unknown): string =>
  typeof value === 'number' ? new Date(value).toISOString() : String(value)

const countIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

function countsIn(text: unknown): [string, unknown][] {
  const counts = parsedJson(String(text))?.value
  return isObject(counts) ? Object.entries(counts) : []
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
