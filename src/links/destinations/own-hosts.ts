import { withoutRootDot } from './blocks.ts'
import { isWeb } from './parse-url.ts'
import { isLoopback, parseIp } from './private-hosts.ts'

/** Where the short URLs of this service are. `host`: as `canonicalHost` gives it. `path`: as `URL` gives it. */
export type OwnHosts = { has(host: string, path: string): boolean }

/**
 * Whether a URL leads back to this service: the same host, however it is written, on the same port. The default ports of http
 * and https count as one, because both usually lead to the same place. Any other port is another service.
 */
export const pointsToUs = (url: URL, ownHosts: OwnHosts): boolean =>
  isWeb(url) && ownHosts.has(canonicalHost(url), url.pathname)

/** The parser has already normalized case, punycode, percent-encoding and the notations of IP addresses. */
export function canonicalHost(url: URL): string {
  const port = url.port === '80' || url.port === '443' ? '' : url.port
  return port === '' ? canonicalName(url.hostname) : `${canonicalName(url.hostname)}:${port}`
}

// All loopback addresses count as one host: there, only the port distinguishes services.
function canonicalName(hostname: string): string {
  const address = parseIp(hostname)
  if (address === undefined) return withoutRootDot(hostname)
  return isLoopback(address) ? 'localhost' : address.toString(16)
}
