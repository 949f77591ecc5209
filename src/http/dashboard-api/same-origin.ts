import { Refusal } from '../../errors/refusal.ts'

type Headers = { header(name: string): string | undefined }

/**
 * A request with a cookie must come from our own pages. Browsers say so in `Sec-Fetch-Site`, which pages cannot set. Old browsers and
 * plain http do not send it: then a change needs our Origin.
 */
export function refuseOtherSites(request: Headers & { method: string }, baseUrl: string): void {
  const site = request.header('sec-fetch-site')
  const isFromUs =
    site === undefined
      ? request.method === 'GET' || request.header('origin') === baseUrl
      : site === 'same-origin' || site === 'none'
  if (!isFromUs) throw new Refusal('forbidden', 'This request did not come from a page of this server.')
}
