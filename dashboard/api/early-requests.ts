import { clicksQuery, PLAIN_RANGE, withAllValues } from '../analytics/analytics-query.ts'
import { linksQuery, PLAIN } from '../links/list/list-query.ts'
import { linkOfPath, linkQuery } from '../links/link-address.ts'
import { apiUrl, linkedWorkspace, requestEarly, workIn } from './request.ts'
import { FIRST_PAINT } from '../shell/first-paint-name.ts'
import { drawFirstRows } from '../shell/first-rows.ts'

// Imported first by main.tsx, so that these requests are sent before React is loaded.

workIn(linkedWorkspace())
if (FIRST_PAINT === 'list' && location.search === '')
  void drawFirstRows(requestEarly(apiUrl('/list-links', linksQuery(PLAIN))))
if (FIRST_PAINT !== undefined) requestEarly(apiUrl('/instance'))
if (FIRST_PAINT === 'list' || FIRST_PAINT === 'signed-in') {
  requestEarly(apiUrl('/session'))
  const link = linkOfPath(location.pathname)
  if (link !== undefined) {
    requestEarly(apiUrl(`/links/${link.short_code}`, linkQuery(link.domain)))
    // With filters or a range of its own, the URL would take more code to read than is here.
    if (location.search === '')
      requestEarly(apiUrl('/analytics', withAllValues(clicksQuery(PLAIN_RANGE, link))))
  }
}
