/** How the preview page leads to the link, so that the click says that it came from there. */
export const FROM_PREVIEW = 'via=preview'

/** Keys of the API and the mark of QR codes are for this server only. */
const NEVER_FORWARDED = new Set(['api_key', 'qr'])
/** Proxies do not accept much more in a Location header. */
const LOCATION_BYTES_MAX = 8192

/**
 * The destination with the visitor's parameters before any fragment. Those that it has already win. A URL that would become
 * too long for proxies stays as it is.
 */
export function forwardQuery(destination: string, query: string): string {
  if (query === '') return destination
  const fragmentAt = destination.indexOf('#')
  const url = fragmentAt === -1 ? destination : destination.slice(0, fragmentAt)
  const own = namesOf(url.slice(url.indexOf('?') + 1 || url.length))
  const added = query.split('&').filter((pair) => pair !== FROM_PREVIEW && isForwarded(nameOf(pair), own))
  if (added.length === 0) return destination
  const joint = !url.includes('?') ? '?' : /[?&]$/.test(url) ? '' : '&'
  const forwarded = url + joint + added.join('&') + destination.slice(url.length)
  return forwarded.length > LOCATION_BYTES_MAX ? destination : forwarded
}

const isForwarded = (name: string, own: ReadonlySet<string>): boolean =>
  name !== '' && !own.has(name) && !NEVER_FORWARDED.has(name.toLowerCase())

const namesOf = (query: string): Set<string> => new Set(query.split('&').map(nameOf))

/** Decoded, so that another spelling of a name is the same name. */
function nameOf(pair: string): string {
  const equalsAt = pair.indexOf('=')
  const name = (equalsAt === -1 ? pair : pair.slice(0, equalsAt)).replaceAll('+', ' ')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
