import { linksQuery, PLAIN } from './links/list-query.ts'
import { apiUrl, requestEarly } from './request.ts'
import { FIRST_PAINT } from './shell/first-paint-name.ts'

// Imported first by main.tsx, so that these requests are sent before React is evaluated.

const LIST_PAGE = /^\/dashboard\/?$/
const LINK_PAGE = /^\/dashboard\/links\/(?:([^/]+)\/)?([\w-]+)$/

if (FIRST_PAINT !== undefined) requestEarly(apiUrl('/instance'))
if (FIRST_PAINT === 'signed-in') {
  requestEarly(apiUrl('/session'))
  if (LIST_PAGE.test(location.pathname) && location.search === '')
    requestEarly(apiUrl('/links', linksQuery(PLAIN)))
  const [, domain = location.host, code] = LINK_PAGE.exec(location.pathname) ?? []
  if (code !== undefined) requestEarly(apiUrl(`/links/${code}`, { domain }))
}
