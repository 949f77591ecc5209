import { namedPairs, splitQuery } from '../links/destinations/query-pairs.ts'

/** How the preview page leads to the link, so that the click says that it came from there. */
export const FROM_PREVIEW = 'via=preview'

/** The parameter of a QR code whose scans count separately, in any case. */
export const QR_MARK = 'qr'

/** Keys of the API and the mark of QR codes are for this server only. */
const NEVER_FORWARDED = new Set(['api_key', QR_MARK])
/** A number or an address of an app would be another one with parameters or a longer path. */
export const WEB = /^https?:/
/** Proxies do not accept much more in a Location header. */
const LOCATION_BYTES_MAX = 8192

/**
 * The destination with the visitor's parameters before any fragment. Those that it has already win. A URL that would become
 * too long for proxies stays as it is.
 */
export function addQuery(destination: string, query: string): string {
  if (query === '' || !WEB.test(destination)) return destination
  const { query: ownQuery, fragment } = splitQuery(destination)
  const own = new Set(namedPairs(ownQuery).map(({ name }) => name))
  const { pairs } = forwardedPairs(query, own)
  return unlessTooLong(withPairs(destination, fragment, pairs), destination)
}

/**
 * The same, but those of the visitor win: all of that name in the destination go, and the visitor's stand behind the others, in
 * their order and as they were sent.
 */
export function replaceQuery(destination: string, query: string): string {
  if (query === '' || !WEB.test(destination)) return destination
  const { pairs, names } = forwardedPairs(query, NO_NAMES)
  const { path, query: ownQuery, fragment } = splitQuery(destination)
  const ownPairs = namedPairs(ownQuery)
  const remainingPairs = ownPairs.flatMap(({ name, pair }) => (names.has(name) ? [] : [pair]))
  if (remainingPairs.length === ownPairs.length)
    return unlessTooLong(withPairs(destination, fragment, pairs), destination)
  return unlessTooLong(`${path}?${[...remainingPairs, ...pairs].join('&')}${fragment}`, destination)
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** Those of the visitor, without what is for this server only. */
function forwardedPairs(query: string, own: ReadonlySet<string>): { pairs: string[]; names: Set<string> } {
  const pairs: string[] = []
  const names = new Set<string>()
  for (const { name, pair } of namedPairs(query)) {
    if (pair === FROM_PREVIEW || name === '' || own.has(name) || NEVER_FORWARDED.has(name.toLowerCase()))
      continue
    pairs.push(pair)
    names.add(name)
  }
  return { pairs, names }
}

function withPairs(destination: string, fragment: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return destination
  const url = destination.slice(0, destination.length - fragment.length)
  const joint = !url.includes('?') ? '?' : /[?&]$/.test(url) ? '' : '&'
  return url + joint + pairs.join('&') + fragment
}

export const unlessTooLong = (url: string, destination: string): string =>
  url.length > LOCATION_BYTES_MAX ? destination : url
