import { shortUrlParts } from '../files/csv-row.ts'
import type { FieldReader } from '../files/field-reader.ts'
import { memberAt } from '../files/json-pages.ts'
import { jsonSource } from '../files/json-source.ts'
import { lostParameters } from '../files/lost-parameters.ts'
import { systemRules, withRules } from '../files/visitor-rules.ts'
import { skipOf, textAt } from '../network/source-api.ts'
import type { SourceLink } from '../source.ts'

const DOMAINS_OF_PAGE = 100

/** Pages of `GET /api/links`. */
export const shortio = jsonSource({
  title: 'Short.io',
  list: memberAt('links'),
  hasMore: (page) => textAt('nextPageToken')(page) !== undefined,
  links: (fields) =>
    fields.fields.path === ''
      ? { refused: 'It is the page of the bare domain, which is a setting of the domain here.' }
      : { links: [linkOf(fields)] },
  lost: lostOf,
  api: {
    defaultUrl: 'https://api.short.io',
    credentials: (key) => ({ headers: { Authorization: key } }),
    lists: {
      request: ({ cursor = '0' }) => ({
        path: '/api/domains',
        query: { limit: String(DOMAINS_OF_PAGE), offset: cursor },
      }),
      items: memberAt(),
      id: textAt('id'),
      noun: 'domain',
      name: textAt('hostname'),
      // A server that does not know offsets sends the same domains again.
      next: (page, position) =>
        position.items.length < DOMAINS_OF_PAGE ? undefined : skipOf(page, position),
    },
    links: {
      request: ({ list, cursor }) => ({
        path: '/api/links',
        query: { domain_id: list, limit: '150', ...(cursor && { pageToken: cursor }) },
      }),
      id: (link) => textAt('idString')(link) ?? textAt('id')(link),
      next: textAt('nextPageToken'),
    },
  },
})

function linkOf(fields: FieldReader): SourceLink {
  return {
    domain: shortUrlParts(fields.text('secureShortURL') ?? fields.text('shortURL') ?? '')?.domain,
    code: fields.text('path'),
    destination: fields.text('originalURL'),
    title: fields.text('title'),
    tags: fields.names('tags'),
    createdAt: fields.time('createdAt'),
    expiresAt: fields.time('expiresAt'),
    fallbackUrl: fields.text('expiredURL'),
    maxClicks: fields.number('clicksLimit'),
    forwardQuery: fields.fields.skipQS === false,
    redirectStatus: fields.number('redirectType'),
    isArchived: fields.isSet('archived'),
    hasUnknownPassword: Boolean(fields.fields.hasPassword),
    others: withRules([
      ...systemRules(fields, { ios: 'iphoneURL', android: 'androidURL' }),
      ...splitOf(fields),
    ]),
  }
}

/** A share of the visitors goes to another URL. */
function splitOf(fields: FieldReader) {
  const to = fields.text('splitURL')
  const percent = fields.number('splitPercent') ?? 50
  if (to === undefined || percent === 0) return []
  if (percent === 100) return [{ to }]
  const rest = { to: fields.text('originalURL'), weight: 100 - percent }
  return [{ split: [rest, { to, weight: percent }] }]
}

function lostOf(fields: FieldReader): string[] {
  return [
    ...(fields.text('FolderId') === undefined ? [] : ['The name of its folder is not in the list of links.']),
    ...(fields.text('ttl') === undefined
      ? []
      : [`Short.io deletes it at ${fields.text('ttl')!}; here it stays.`]),
    ...(fields.isSet('cloaking')
      ? ['Visitors will see the URL of the destination: there is no cloaking here.']
      : []),
    ...(PIXELS.some((name) => fields.fields[name]) ? ['Its tracking pixels are not imported.'] : []),
    ...lostParameters(fields, { destination: 'originalURL', of: inCamelCase }),
  ]
}

/** Of services for advertisers. */
const PIXELS = ['integrationAdroll', 'integrationFB', 'integrationGA', 'integrationGTM']

const inCamelCase = (name: string): string =>
  name.replace(/_([a-z])/, (_, letter: string) => letter.toUpperCase())
