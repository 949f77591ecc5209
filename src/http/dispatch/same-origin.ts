import { Refusal } from '../../errors/refusal.ts'
import { parseUrl } from '../../links/destinations/parse-url.ts'

type Headers = { header(name: string): string | undefined }

/**
 * A request with a cookie must come from our own pages. Browsers say so in `Sec-Fetch-Site`, which pages cannot set. Old browsers and
 * plain http do not send it: then a change needs our Origin.
 */
export function refuseOtherSites(request: Headers & { method: string }, baseUrl: string): void {
  if (!isFromUs(request, baseUrl))
    throw new Refusal('cross_site_request', 'This request did not come from a page of this server.')
}

/** A short URL and its pages are also served under other hosts than that of BASE_URL. */
export function isFromOwnPage(request: Headers & { method: string; host: string }, baseUrl: string): boolean {
  const origin = request.header('origin') ?? ''
  const isSameHost = parseUrl(origin)?.host === request.host
  return isFromUs(request, isSameHost ? origin : baseUrl)
}

function isFromUs(request: Headers & { method: string }, baseUrl: string): boolean {
  const site = request.header('sec-fetch-site')
  return site === undefined
    ? request.method === 'GET' || request.header('origin') === baseUrl
    : site === 'same-origin' || site === 'none'
}
