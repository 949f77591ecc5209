import { clicksQuery, PLAIN_RANGE, withAllValues } from '../analytics/analytics-query.ts'
import { linksQuery, PLAIN } from '../links/list/list-query.ts'
import { linkQuery } from '../links/link-address.ts'
import { apiUrl, linkedWorkspace, requestEarly, workIn } from './request.ts'
import { FIRST_PAINT } from '../shell/first-paint-name.ts'
import { drawFirstRows } from '../shell/first-rows.ts'

// Imported first by main.tsx, so that these requests are sent before React is loaded.

const LINK_PAGE = /^\/dashboard\/links\/(?:([^/]+)\/)?([\w-]+)$/

workIn(linkedWorkspace())
if (FIRST_PAINT === 'list' && location.search === '')
  void drawFirstRows(requestEarly(apiUrl('/list-links', linksQuery(PLAIN))))
if (FIRST_PAINT !== undefined) requestEarly(apiUrl('/instance'))
if (FIRST_PAINT === 'list' || FIRST_PAINT === 'signed-in') {
  requestEarly(apiUrl('/session'))
  const [, domain = location.host, code] = LINK_PAGE.exec(location.pathname) ?? []
  if (code !== undefined) {
    requestEarly(apiUrl(`/links/${code}`, linkQuery(domain)))
    // With filters or a range of its own, the URL would take more code to read than is here.
    if (location.search === '')
      requestEarly(
        apiUrl('/analytics', withAllValues(clicksQuery(PLAIN_RANGE, { short_code: code, domain }))),
      )
  }
}
