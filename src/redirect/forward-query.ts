import { nameOfPair, splitQuery } from '../links/destinations/query-pairs.ts'

/** How the preview page leads to the link, so that the click says that it came from there. */
export const FROM_PREVIEW = 'via=preview'

/** The parameter of a QR code whose scans count separately, in any case. */
export const QR_MARK = 'qr'

/** Keys of the API and the mark of QR codes are for this server only. */
const NEVER_FORWARDED = new Set(['api_key', QR_MARK])
/** A number or an address of an app would be another one with parameters. */
const WEB = /^https?:/
/** Proxies do not accept much more in a Location header. */
const LOCATION_BYTES_MAX = 8192

/**
 * The destination with the visitor's parameters before any fragment. Those that it has already win. A URL that would become
 * too long for proxies stays as it is.
 */
export function forwardQuery(destination: string, query: string): string {
  if (query === '' || !WEB.test(destination)) return destination
  const { query: ownQuery, fragment } = splitQuery(destination)
  const url = destination.slice(0, destination.length - fragment.length)
  const own = new Set(ownQuery.split('&').map(nameOfPair))
  const pairs = query.split('&').filter((pair) => pair !== FROM_PREVIEW && isForwarded(nameOfPair(pair), own))
  if (pairs.length === 0) return destination
  const joint = !url.includes('?') ? '?' : /[?&]$/.test(url) ? '' : '&'
  const forwarded = url + joint + pairs.join('&') + fragment
  return forwarded.length > LOCATION_BYTES_MAX ? destination : forwarded
}

const isForwarded = (name: string, own: ReadonlySet<string>): boolean =>
  name !== '' && !own.has(name) && !NEVER_FORWARDED.has(name.toLowerCase())
