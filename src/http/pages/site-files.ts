import { readFileSync } from 'node:fs'
import { DAY_US } from '../../runtime/clock.ts'
import { STABLE_CSS_HREF } from '../../html/html.ts'
// favicon.svg in 16 and 32 pixels, for browsers that only request /favicon.ico. A browser test compares the two. After a change,
// make it again, for example with ImageMagick: convert -background none favicon.svg -define icon:auto-resize=32,16 favicon.ico
import FAVICON_ICO from './favicon.ico' with { type: 'file' }
import faviconSvg from './favicon.svg' with { type: 'text' }
import { landingPage } from './landing-page.ts'
import { CSS_HREF, SITE_CSS } from './site-css.ts'

export type SiteFile = { body: string | Uint8Array; contentType: string; cacheControl: string }

export type SiteSettings = {
  baseUrl: string
  /** An email address or URL for vulnerability reports. Without one there is no security.txt: the RFC requires a contact. */
  securityContact: string
  signUp: 'open' | 'invite' | 'closed'
  nowUs: number
}

// RFC 9116 recommends less than a year, so that an abandoned file expires.
const SECURITY_TXT_DAYS = 364
// When the statement was made, not when the file was written.
const PRIVACY_STATED_ON = '2026-11-20'

const REVALIDATE = 'no-cache'
const AN_HOUR = 'public, max-age=3600'
const A_DAY = 'public, max-age=86400'
const FOR_GOOD = 'public, max-age=31536000, immutable'

/** Every fixed public file by its path. Made once, at the start. */
export function siteFiles(settings: SiteSettings): Map<string, SiteFile> {
  const css = (cacheControl: string): SiteFile => file(SITE_CSS, 'text/css; charset=utf-8', cacheControl)
  const privacy = JSON.stringify({ gpc: true, lastUpdate: PRIVACY_STATED_ON })
  const files = new Map([
    ['/', file(landingPage(settings), 'text/html; charset=utf-8', REVALIDATE)],
    ['/robots.txt', file(ROBOTS_TXT, 'text/plain; charset=utf-8', AN_HOUR)],
    ['/favicon.ico', file(readFileSync(FAVICON_ICO), 'image/x-icon', A_DAY)],
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

// Short URLs are not disallowed. The X-Robots-Tag of the redirect keeps them out of search indexes, but only crawlers that may
// request them see it. And link previews of chats and social networks obey this file too.
const ROBOTS_TXT = `User-agent: *
Disallow: /api/
Disallow: /dashboard/
`

function securityTxt({ baseUrl, securityContact, nowUs }: SiteSettings): string | undefined {
  // A line break would start another field.
  const contact = securityContact.replaceAll(/[\r\n]+/g, ' ').trim()
  if (contact === '') return undefined
  const isUri = /^(mailto|https|tel):/i.test(contact)
  const expires = new Date((nowUs + SECURITY_TXT_DAYS * DAY_US) / 1000).toISOString()
  const lines = [`Contact: ${isUri ? contact : `mailto:${contact}`}`, `Expires: ${expires}`]
  if (baseUrl.startsWith('https://')) lines.push(`Canonical: ${baseUrl}/.well-known/security.txt`)
  return lines.join('\n') + '\n'
}
