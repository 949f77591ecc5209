import { shortUrlParts } from '../files/csv-row.ts'
import { memberAt } from '../files/json-pages.ts'
import { jsonSource } from '../files/json-source.ts'
import { withRules } from '../files/visitor-rules.ts'
import { textAt } from '../network/source-api.ts'
import { routingRules } from './bitly-routing.ts'
import { bitlyMetrics } from './bitly-metrics.ts'
import type { SourceLink } from '../source.ts'

/** Pages of `GET /v4/groups/…/bitlinks`, and its CSVs of links and of engagements by day. */
export const bitly = jsonSource({
  title: 'Bitly',
  list: memberAt('links'),
  hasMore: (page) => nextQuery(page) !== undefined,
  links(fields) {
    if (fields.isSet('is_deleted')) return { refused: 'It is deleted at Bitly.' }
    const urls = [...fields.names('custom_bitlinks'), fields.text('link') ?? fields.text('id') ?? '']
    const link = {
      destination: fields.text('long_url'),
      title: fields.text('title'),
      tags: fields.names('tags'),
      createdAt: fields.time('created_at'),
      expiresAt: fields.time('expiration_at'),
      isArchived: fields.isSet('archived'),
      others: withRules(routingRules(fields)),
    }
    return { links: linksAt(urls, link) }
  },
  lost({ fields: { deeplinks } }) {
    return Array.isArray(deeplinks) && deeplinks.length > 0 ? ['Its links into apps are lost.'] : []
  },
  api: {
    defaultUrl: 'https://api-ssl.bitly.com',
    credentials: (key) => ({ headers: { Authorization: `Bearer ${key}` } }),
    lists: {
      request: () => ({ path: '/v4/groups' }),
      items: memberAt('groups'),
      id: textAt('guid'),
      noun: 'group',
      name: textAt('name'),
      next: () => undefined,
    },
    links: {
      request: ({ list, cursor = 'size=100&archived=both' }) => ({
        path: `/v4/groups/${encodeURIComponent(list)}/bitlinks`,
        query: Object.fromEntries(new URLSearchParams(cursor)),
      }),
      id: textAt('id'),
      next: nextQuery,
    },
    clicks: bitlyMetrics,
  },
  csv: {
    clickTable: {
      title: 'the clicks of each day',
      shortUrl: 'Short Link',
      destination: 'Destination',
      day: 'Date',
      clicks: 'Clicks',
    },
    links: (link, cell) => linksAt([cell('Custom Link'), cell('Link')], link),
  },
})

/** A page says the whole URL of the next one. Only its query is used, so that the key goes nowhere else. */
function nextQuery(page: unknown): string | undefined {
  const url = textAt('next')(memberAt('pagination')(page))
  return url?.split('?')[1]
}

/** A bitlink has several short URLs. Those on one domain are one link with aliases; the clicks belong to the first. */
function linksAt(urls: readonly string[], link: SourceLink): SourceLink[] {
  const parts = urls.flatMap((url) => shortUrlParts(url) ?? [])
  if (parts.length === 0) return [link]
  return [...Map.groupBy(parts, ({ domain }) => domain)].map(([domain, some], at) => {
    const [code, ...aliases] = new Set(some.map((each) => each.code))
    return { ...link, domain, code, aliases, clicks: at === 0 ? link.clicks : undefined }
  })
}
