import { DAY_US } from '../../clock.ts'
import { STABLE_CSS_HREF } from '../../html.ts'
import { icoFromSvg } from './favicon-ico.ts'
import faviconSvg from './favicon.svg' with { type: 'text' }
import { landingPage } from './landing-page.ts'
import { CSS_HREF, SITE_CSS } from './site-css.ts'

export { CSS_HREF }

export type SiteFile = { body: string | Uint8Array; contentType: string; cacheControl: string }

export type SiteSettings = {
  baseUrl: string
  /** A mail or web address for reports of weaknesses. Without one there is no security.txt: the RFC demands a contact. */
  securityContact: string
  /** Whether the landing page offers to sign up. */
  signUp: 'open' | 'invite' | 'closed'
  nowUs: number
}

// RFC 9116 wants less than a year, so that a forgotten file stops being believed.
const SECURITY_TXT_DAYS = 364
// When the promise was made, not when the file was written.
const PRIVACY_STATED_ON = '2026-11-20'

const REVALIDATE = 'no-cache'
const AN_HOUR = 'public, max-age=3600'
const A_DAY = 'public, max-age=86400'
const FOR_GOOD = 'public, max-age=31536000, immutable'

/** Every fixed public file, by its path. Made once, when the service starts. */
export function siteFiles(settings: SiteSettings): Map<string, SiteFile> {
  const css = (cacheControl: string): SiteFile => file(SITE_CSS, 'text/css; charset=utf-8', cacheControl)
  const privacy = JSON.stringify({ gpc: true, lastUpdate: PRIVACY_STATED_ON })
  const files = new Map([
    ['/', file(landingPage(settings), 'text/html; charset=utf-8', REVALIDATE)],
    ['/robots.txt', file(ROBOTS_TXT, 'text/plain; charset=utf-8', AN_HOUR)],
    ['/favicon.ico', file(icoFromSvg(faviconSvg), 'image/x-icon', A_DAY)],
    ['/favicon.svg', file(faviconSvg, 'image/svg+xml; charset=utf-8', A_DAY)],
    ['/.well-known/gpc.json', file(privacy, 'application/json', A_DAY)],
    [CSS_HREF, css(FOR_GOOD)],
    [STABLE_CSS_HREF, css(AN_HOUR)],
  ])
  const security = securityTxt(settings)
  if (security) files.set('/.well-known/security.txt', file(security, 'text/plain; charset=utf-8', AN_HOUR))
  return files
}

const file = (body: string | Uint8Array, contentType: string, cacheControl: string): SiteFile => ({
  body,
  contentType,
  cacheControl,
})

// Short addresses stay open to crawlers: the redirect's own X-Robots-Tag keeps them out of an index, which a crawler that
// may not ask never reads, and link previews of chat and social sites obey this file too.
const ROBOTS_TXT = `User-agent: *
Disallow: /api/
Disallow: /dashboard/
`

function securityTxt({ baseUrl, securityContact, nowUs }: SiteSettings): string | undefined {
  // A line break would begin a field of its own.
  const contact = securityContact.replaceAll(/[\r\n]+/g, ' ').trim()
  if (contact === '') return undefined
  const isUri = /^(mailto|https|tel):/i.test(contact)
  const expires = new Date((nowUs + SECURITY_TXT_DAYS * DAY_US) / 1000).toISOString()
  const lines = [`Contact: ${isUri ? contact : `mailto:${contact}`}`, `Expires: ${expires}`]
  if (baseUrl.startsWith('https://')) lines.push(`Canonical: ${baseUrl}/.well-known/security.txt`)
  return lines.join('\n') + '\n'
}
