import { shortUrlParts } from '../files/csv-row.ts'
import { memberAt } from '../files/json-pages.ts'
import { jsonSource } from '../files/json-source.ts'
import type { FieldReader } from '../files/field-reader.ts'
import { systemRules, withRules } from '../files/visitor-rules.ts'
import { numberAt, textAt } from '../network/source-api.ts'
import { shlinkVisits } from './shlink-visits.ts'

/** Pages of `GET /rest/v3/short-urls`, and the CSV of its web client. */
export const shlink = jsonSource({
  title: 'Shlink',
  list: memberAt('shortUrls', 'data'),
  hasMore: (page) => (pageNumber(page) ?? 0) < (pageCount(page) ?? 0),
  links(fields) {
    const meta = fields.part('meta')
    const link = {
      // Without a domain it is on the default one, which only the short URL names.
      domain: fields.text('domain') ?? shortUrlParts(fields.text('shortUrl') ?? '')?.domain,
      code: fields.text('shortCode'),
      destination: fields.text('longUrl'),
      title: fields.text('title'),
      tags: fields.names('tags'),
      createdAt: fields.time('dateCreated'),
      startsAt: meta.time('validSince'),
      expiresAt: meta.time('validUntil'),
      maxClicks: meta.number('maxVisits'),
      // There, parameters of the visitor win.
      forwardQuery: fields.isSet('forwardQuery') ? ('replace' as const) : false,
      others: withRules(deviceRules(fields)),
      // Without visits of bots, as clicks are counted here. Versions before 3.4 do not separate them.
      clicks: fields.part('visitsSummary').number('nonBots') ?? fields.number('visitsCount'),
    }
    return { links: [link] }
  },
  lost: lostOf,
  api: {
    credentials: (key) => ({ headers: { 'X-Api-Key': key } }),
    links: {
      // The oldest first: a link that is made in the meantime is on the last page.
      request: ({ cursor = '1' }) => ({
        path: '/rest/v3/short-urls',
        query: { page: cursor, itemsPerPage: '100', orderBy: 'dateCreated-ASC' },
      }),
      id: textAt('shortUrl'),
      next: (page, { cursor = '1' }) =>
        Number(cursor) < (pageCount(page) ?? 0) ? String(Number(cursor) + 1) : undefined,
      total: numberAt('shortUrls', 'pagination', 'totalItems'),
    },
    clicks: shlinkVisits,
  },
  csv: {
    tagSeparator: '|',
    // The code is percent-encoded there, the short URL is not.
    links: (link, cell) => ({ ...link, code: shortUrlParts(cell('shortUrl'))?.code ?? link.code }),
  },
})

const pageNumber = numberAt('shortUrls', 'pagination', 'currentPage')
const pageCount = numberAt('shortUrls', 'pagination', 'pagesCount')

function lostOf(fields: FieldReader): string[] {
  return [
    ...(fields.isSet('hasRedirectRules') ? ['Its redirect rules are not in the list of links.'] : []),
    ...(fields.isSet('crawlable') ? ['That search engines may list it (crawlable) is lost.'] : []),
  ]
}

/** Before version 4, which has rules instead. */
function deviceRules(fields: FieldReader) {
  const urls = fields.part('deviceLongUrls')
  const desktop = urls.text('desktop')
  return [
    ...systemRules(urls, { ios: 'ios', android: 'android' }),
    ...(desktop === undefined ? [] : [{ when: { device: ['desktop'] }, to: desktop }]),
  ]
}
