import type { Context, Hono } from 'hono'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import { REDIRECT_STATUS } from '../../links/redirect-status.ts'
import type { Domain, Domains } from '../../links/domains/domains.ts'
import { noticePage, unknownLinkPage } from '../../redirect/notice-pages.ts'
import { NEVER_STORED } from '../../redirect/visit-response.ts'
import type { AppEnv } from '../dispatch/app-context.ts'

/** What every host serves in addition to short URLs: QR codes, reports, previews, the exclusion of browsers, and what pages and proxies need. */
const EVERYWHERE =
  /^\/(?:qr\/[^/]+|report\/[^/]+|own-traffic(?:\/[^/]+)?|[\w-]+\+|assets\/.+|\.well-known\/.+|robots\.txt|favicon\.(?:ico|svg)|api\/health|metrics)$/

type DomainPagesDeps = { domains: Pick<Domains, 'idOf' | 'get'> }

/** The API, the dashboard and the landing page are on the host of BASE_URL only. Other domains have pages of their own. */
export function addDomainPages(app: Hono<AppEnv>, { domains }: DomainPagesDeps): void {
  app.use(async (context, next) => {
    const id = domains.idOf(context.req.header('host') ?? '')
    if (id === DEFAULT_DOMAIN || EVERYWHERE.test(context.req.path)) return next()
    const domain = domains.get(id)
    const isHome = domain !== undefined && context.req.path === '/'
    const url = isHome ? domain.homeUrl : (domain?.notFoundUrl ?? null)
    if (url !== null) return leadTo(context, url)
    return isHome
      ? sendPage(context, 200, homePage(domain))
      : sendPage(context, 404, unknownLinkPage(context.req.path.slice(1)))
  })
}

function leadTo(context: Context<AppEnv>, url: string): Response {
  for (const [name, value] of Object.entries(NEVER_STORED)) context.header(name, value)
  return context.redirect(url, REDIRECT_STATUS)
}

const homePage = ({ host }: Domain): string =>
  noticePage({ title: host, sentence: 'This domain is for short links. Each has a code after the slash.' })

function sendPage(context: Context<AppEnv>, status: 200 | 404, body: string): Response {
  for (const [name, value] of Object.entries(NEVER_STORED)) context.header(name, value)
  context.header('Content-Type', 'text/html; charset=utf-8')
  return context.body(body, status)
}
