import { domainToUnicode } from 'node:url'
import { withoutFormulaMark } from '../files/csv-row.ts'
import type { FieldReader } from '../files/field-reader.ts'
import { memberAt } from '../files/json-pages.ts'
import { jsonSource } from '../files/json-source.ts'
import { socialPreview } from '../files/social-preview.ts'
import { countryRules, systemRules, withRules } from '../files/visitor-rules.ts'
import { lastOf, textAt } from '../network/source-api.ts'
import { dubAnalytics } from './dub-analytics.ts'
import { dubEvents } from './dub-events.ts'
import type { SourceLink } from '../source.ts'
import { isObject } from '../../validation/is-object.ts'

/** Pages of `GET /links`, and its CSVs of links and of events. */
export const dub = jsonSource({
  title: 'Dub',
  list: memberAt(),
  links: (fields) =>
    fields.text('key') === '_root'
      ? { refused: 'It is the page of the bare domain, which is a setting of the domain here.' }
      : { links: [linkOf(fields)] },
  lost: (fields) => fields.sentences(LOST),
  csv: {
    cell: withoutFormulaMark,
    tagSeparator: ', ',
    // Unlike the CSV of links, it has codes as they are stored.
    clickTable: { ...dubEvents, code: (key) => inOwnLetters(key)! },
  },
  api: {
    defaultUrl: 'https://api.dub.co',
    credentials: (key) => ({ headers: { Authorization: `Bearer ${key}` } }),
    links: {
      request: ({ cursor }) => ({
        path: '/links',
        query: { pageSize: '100', showArchived: 'true', ...(cursor && { startingAfter: cursor }) },
      }),
      id: textAt('id'),
      next: lastOf(textAt('id')),
    },
    clicks: dubAnalytics,
  },
})

function linkOf(fields: FieldReader): SourceLink {
  return {
    domain: fields.text('domain'),
    code: inOwnLetters(fields.text('key')),
    destination: fields.text('url'),
    title: fields.text('title'),
    notes: fields.text('comments'),
    tags: fields.names('tags'),
    externalId: fields.text('externalId'),
    createdAt: fields.time('createdAt'),
    expiresAt: fields.time('expiresAt'),
    fallbackUrl: fields.text('expiredUrl'),
    ...fields.password('password'),
    isArchived: fields.isSet('archived'),
    isDisabled: fields.text('disabledAt') !== undefined,
    clicks: fields.number('clicks'),
    others: {
      // The card of previews is only used with a proxy.
      ...(fields.isSet('proxy') && socialPreview(fields)),
      ...withRules([
        ...systemRules(fields, { ios: 'ios', android: 'android' }),
        ...countryRules(fields, 'geo'),
        ...splitOf(fields),
      ]),
    },
  }
}

/** Dub stores letters beyond ASCII in punycode, and serves them as they are. */
const inOwnLetters = (key: string | undefined): string | undefined =>
  key
    ?.split('/')
    .map((part) => (part.startsWith('xn--') ? domainToUnicode(part) || part : part))
    .join('/')

/** A split test takes the visitors who are left, from its start to its end. */
function splitOf(fields: FieldReader) {
  const { testVariants } = fields.fields
  const variants = Array.isArray(testVariants) ? testVariants.filter(isObject) : []
  if (variants.length < 2) return []
  const from = fields.time('testStartedAt')
  const to = fields.time('testCompletedAt')
  const split = variants.map(({ url, percentage }) => ({ to: url as string, weight: percentage as number }))
  return from === undefined && to === undefined ? [{ split }] : [{ when: { between: { from, to } }, split }]
}

const LOST: [field: string, sentence: string][] = [
  ['folderId', 'The name of its folder is not in the list of links.'],
  ['tenantId', 'Its tenant ID is not imported.'],
  ['rewrite', 'Visitors will see the URL of the destination: there is no cloaking here.'],
  ['video', 'The video of its previews is not imported.'],
  ['doIndex', 'That search engines may list it is lost.'],
  ['publicStats', 'Its public page of statistics is not imported.'],
  ['programId', 'That it belongs to a partner program is lost.'],
  ['trackConversion', 'Its conversions are not imported.'],
]
