import { type Blocks, withoutRootDot } from './blocks.ts'
import { parseUrl, STRIPPED_OR_TURNED } from './parse-url.ts'
import { isLoopback, isPrivateHost, readAddress } from './special-addresses.ts'

/** In code points, as submitted. */
export const DESTINATION_LENGTH_MAX = 8192
/** Percent-encoded, as it is sent in a Location header: proxies have room for so much and not for much more. */
export const DESTINATION_BYTES_MAX = 8192

export type DestinationRules = {
  /** Lower case, as `URL.host` gives it: without the port where it is the scheme's own. */
  ownHosts: ReadonlySet<string>
  /** For intranets: private, loopback and dotless hosts are destinations like others. */
  allowPrivate: boolean
  /** What the operator has blocked. */
  blocks: Pick<Blocks, 'isHostBlocked'>
}

export type Destination = { href: string } | { faults: string[] }

const START = /^https?:\/\/(?=[^/])/i
const USERINFO = /^[^/?#]*@/
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

// RFC 1035, 2.3.4, which the parser does not hold to. The underscore is in use, though not in host names proper.
const HOST_NAME_LENGTH_MAX = 253
const LABEL = /^[a-z0-9_-]{1,63}$/

/**
 * Where a link may lead: the address to redirect to, as the parser normalises it, or the first thing that is wrong with it.
 * `attribute` is the name of the field as it is spoken, for the sentence.
 */
export function readDestination(input: unknown, rules: DestinationRules, attribute: string): Destination {
  const refuse = (rule: string): Destination => ({ faults: [`The ${attribute} ${rule}`] })
  const notAUrl = refuse('must be a valid URL that starts with http:// or https://.')

  if (typeof input !== 'string') return refuse('must be a string.')
  if (isTooLong(input)) return refuse(`may not be greater than ${DESTINATION_LENGTH_MAX} characters.`)
  if (!START.test(input) || STRIPPED_OR_TURNED.test(input) || !input.isWellFormed()) return notAUrl
  // Asked of the text, because the parser drops an empty "user:password@" without a trace.
  if (USERINFO.test(input.replace(START, ''))) return refuse('may not contain a user name or password.')

  const url = parseUrl(input)
  if (url === null || !isHost(url.hostname)) return notAUrl
  // The parser escapes everything else. Should it ever not, the header it would have split is never written.
  if (!VISIBLE_ASCII.test(url.href)) return notAUrl
  if (url.href.length > DESTINATION_BYTES_MAX)
    return refuse(`may not be greater than ${DESTINATION_BYTES_MAX} bytes after percent-encoding.`)
  if (pointsToUs(url, rules.ownHosts)) return refuse('may not point to this service.')
  if (rules.blocks.isHostBlocked(url.hostname)) return refuse('may not lead there: the host is blocked.')
  if (!rules.allowPrivate && isPrivateHost(url.hostname)) return refuse('may not point to a private address.')
  return { href: url.href }
}

/**
 * Whether an address leads back to this service: the same host, however it is spelled, on the same port. The default ports
 * of http and https are one, since both schemes usually lead to the same place; any other port is another service.
 */
export function pointsToUs(url: URL, ownHosts: ReadonlySet<string>): boolean {
  const host = canonicalHost(url)
  for (const own of ownHosts) {
    if (canonicalHost(new URL(`http://${own}`)) === host) return true
  }
  return false
}

// The parser has already turned case, punycode, percent-encoding and odd spellings of IP addresses into one form.
function canonicalHost(url: URL): string {
  const port = url.port === '80' || url.port === '443' ? '' : url.port
  return `${canonicalName(url.hostname)}:${port}`
}

// All loopback addresses are one name: on them, the port alone tells services apart.
function canonicalName(hostname: string): string {
  const address = readAddress(hostname)
  if (address === undefined) return withoutRootDot(hostname)
  return isLoopback(address) ? 'localhost' : address.toString(16)
}

function isHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = withoutRootDot(hostname)
  return name.length <= HOST_NAME_LENGTH_MAX && name.split('.').every((label) => LABEL.test(label))
}

// No text has more code points than code units, so that most are not counted at all.
function isTooLong(text: string): boolean {
  return text.length > DESTINATION_LENGTH_MAX && [...text].length > DESTINATION_LENGTH_MAX
}
