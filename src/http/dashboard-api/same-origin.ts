import { Refusal } from '../../refusal.ts'

type Headers = { header(name: string): string | undefined }

/**
 * A request with a cookie must come from our own pages. Browsers say so themselves (`Sec-Fetch-Site`, which no page can
 * set), but for old ones and those on plain http: for them the Origin must be ours if anything is to change. Who sends
 * neither is no browser at one of our pages.
 */
export function refuseOtherSites(request: Headers & { method: string }, baseUrl: string): void {
  const site = request.header('sec-fetch-site')
  const isFromUs =
    site === undefined
      ? request.method === 'GET' || request.header('origin') === baseUrl
      : site === 'same-origin' || site === 'none'
  if (!isFromUs) throw new Refusal('forbidden', 'This request did not come from a page of this server.')
}
