import { type CsvDialect, shortUrlParts } from '../files/csv-row.ts'
import { FieldReader } from '../files/field-reader.ts'
import { type ImportFile, unreadable } from '../files/import-file.ts'
import { memberAt } from '../files/json-pages.ts'
import { jsonSource } from '../files/json-source.ts'
import { dumpRows } from '../files/dump-rows.ts'
import { EndlessToken } from '../files/sql-tokens.ts'
import { type Encoding, encodingOf, headText } from '../files/text-encoding.ts'
import { zoneOffset } from '../files/time-zone.ts'
import { numberAt, skipOf, type SourceApi, textAt } from '../network/source-api.ts'
import type { OpenedFile, Source, SourceItem, SourceLink, SourceOptions } from '../source.ts'
import { isObject } from '../../validation/is-object.ts'
import { eachRow, readLog } from './yourls-log.ts'

const SQL = /^\s*(\/\*|--|INSERT |CREATE |DROP |SET )|^(INSERT INTO|CREATE TABLE) /im

const TABLE = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks']

/** Its title is the destination where the page could not be read. */
const withoutUrlAsTitle = (link: SourceLink): SourceLink =>
  link.title === link.destination ? { ...link, title: undefined } : link

const dialect: CsvDialect = {
  names: TABLE,
  // The plugin writes slashes around codes.
  links: (link) => withoutUrlAsTitle({ ...link, code: link.code?.replace(/^\/(.*)\/$/s, '$1') }),
}

/** An object of links, by `link_1` and so on. A page without links has none. */
function listIn(page: unknown): unknown {
  const links = memberAt('links')(page) ?? (isObject(memberAt('stats')(page)) ? [] : undefined)
  return isObject(links) ? Object.values(links) : links
}

/** All links at once: it sorts by time alone, so links of one second may be on two pages or on none. */
const LINKS_OF_PAGE = '100000'

const api: SourceApi = {
  credentials: (key) => ({ query: { signature: key } }),
  links: {
    request: ({ cursor = '0' }) => ({
      path: '/yourls-api.php',
      query: { action: 'stats', format: 'json', filter: 'last', limit: LINKS_OF_PAGE, start: cursor },
    }),
    id: textAt('shorturl'),
    next: skipOf,
    total: numberAt('stats', 'total_links'),
  },
}

const pages = jsonSource({
  title: 'YOURLS',
  list: listIn,
  links(fields) {
    const parts = shortUrlParts(fields.text('shorturl') ?? '')
    return { links: [{ ...linkOf(fields), domain: parts?.domain, code: parts?.code }] }
  },
  csv: dialect,
  api,
})

/** A dump of its database, the table of links or the file of a plugin in CSV, and what its API answers to `stats`. */
export const yourls: Source = {
  title: pages.title,
  async open(file, options) {
    const encoding = await encodingOf(file, options.encoding)
    const head = headText(file, encoding)
    return SQL.test(head) ? openDump(file, encoding, options) : pages.open(file, options)
  },
  network: pages.network,
}

/** YOURLS writes the time in UTC, and the database takes it for that of its own zone. A dump in UTC is that much too early. */
const IN_UTC = /\btime_zone\s*=\s*['"]\+00:00['"]/i

const UNKNOWN_ZONE =
  'has dates that are off by the time zone of its database server, which it does not say. Name it with --time-zone, such as UTC, Europe/Berlin or +02:00.'

function openDump(file: ImportFile, encoding: Encoding, { timeZone }: SourceOptions): OpenedFile {
  const isInUtc = IN_UTC.test(headText(file, encoding))
  if (isInUtc && timeZone === undefined) throw unreadable(file.path, UNKNOWN_ZONE)
  const offsetAt = isInUtc ? zoneOffset(timeZone!) : () => 0
  const dates = isInUtc ? `, dates of a server in ${timeZone}` : ''
  return {
    description: [`a dump of YOURLS in SQL${dates}`],
    uses: isInUtc ? ['encoding', 'timeZone'] : ['encoding'],
    items: itemsOf(file, encoding, offsetAt),
  }
}

const LINKS = ['keyword', 'url', 'clicks']

async function* itemsOf(
  file: ImportFile,
  encoding: Encoding,
  offsetAt: (ms: number) => number,
): AsyncGenerator<SourceItem> {
  const clicksOf = await readClicks(file, encoding, offsetAt)
  const rows = dumpRows(file, encoding, LINKS)
  let count = 0
  try {
    let next = await rows.next()
    for (; !next.done; next = await rows.next()) {
      const read = next.value
      const at = `row ${++count}`
      if ('refused' in read) yield { at, ...read }
      else {
        const link = linkOfRow(new FieldReader(read.row), offsetAt)
        yield { at, link: { ...link, clicksBy: clicksOf(link.code ?? '') } }
      }
    }
    if (!next.value) yield { at: `after row ${count}`, refused: CUT }
    else if (count === 0) yield { at: 'after row 0', refused: NO_ROWS }
  } catch (error) {
    if (!(error instanceof EndlessToken)) throw error
    yield { at: `after row ${count}`, refused: ENDLESS }
  }
}

/** The log is before the links in a dump, and says less of them: so the links are read first, then it, and then the links again. */
async function readClicks(file: ImportFile, encoding: Encoding, offsetAt: (ms: number) => number) {
  const links = new Map<string, { clicks: number; createdMs: number }>()
  await eachRow(file, { encoding, columns: LINKS }, (row) => {
    const { code, clicks, createdAt } = linkOfRow(new FieldReader(row), offsetAt)
    if (code && clicks) links.set(code, { clicks, createdMs: Date.parse(createdAt ?? '1970-01-01') })
  })
  return readLog(file, encoding, links)
}

const NO_ROWS = 'The dump has no rows of a table with the columns keyword, url and clicks.'
const CUT = 'The dump ends in the middle of a statement, so what follows is missing.'
const ENDLESS =
  'A quote is opened and not closed, or a row is longer than 1 MB. The rest of the file was not read.'

function linkOfRow(fields: FieldReader, offsetAt: (ms: number) => number): SourceLink {
  const link = linkOf(fields)
  const ms = link.createdAt == null ? undefined : Date.parse(link.createdAt)
  const createdAt = ms === undefined ? undefined : new Date(ms + offsetAt(ms)).toISOString()
  return { ...link, code: fields.text('keyword'), createdAt, lost: fields.lost }
}

const linkOf = (fields: FieldReader): SourceLink =>
  withoutUrlAsTitle({
    destination: fields.text('url'),
    title: fields.text('title'),
    createdAt: fields.time('timestamp'),
    clicks: fields.number('clicks'),
  })
