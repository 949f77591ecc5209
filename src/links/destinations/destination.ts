import { trimmed } from '../../codes/invisible.ts'
import { type Blocks, withoutRootDot } from './blocks.ts'
import { parseUrl, STRIPPED_OR_TURNED } from './parse-url.ts'
import type { FieldCode } from '../../errors/field-codes.ts'
import { once } from '../../runtime/make-once.ts'
import { isPrivateHost } from './private-hosts.ts'
import { type OwnHosts, pointsToUs } from './own-hosts.ts'

/** In code points, as sent. */
export const DESTINATION_LENGTH_MAX = 8192
/** Percent-encoded, as in the Location header. Proxies do not accept much more. */
const DESTINATION_BYTES_MAX = 8192

export type DestinationRules = {
  ownHosts: OwnHosts
  /** For intranets: allows private, loopback and dotless hosts. */
  allowPrivate: boolean
  blocks: Pick<Blocks, 'isHostBlocked'>
  /** In lower case. Absent: WEB_SCHEMES. */
  schemes?: readonly string[]
}

export const WEB_SCHEMES: readonly string[] = ['http', 'https']

const SCHEME = /^([a-z][a-z0-9+.-]*):(?=.)/i
const WEB_START = /^https?:\/\/(?=[^/])/i
const USERINFO = /^[^/?#]*@/
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

// RFC 1035, 2.3.4, which the parser does not enforce. Underscores occur in practice.
const HOST_NAME_LENGTH_MAX = 253
const LABEL = /^[a-z0-9_-]{1,63}$/

/** `text`: without what was pasted along at its ends, and with `%20` for spaces. `href`: as the parser normalizes it. */
type ReadDestination = { text: string; href: string }
type Fault = { code: FieldCode; error: string }

const fault = (code: FieldCode, rule: string): Fault => ({ code, error: `The :attribute ${rule}` })

/** The URL to redirect to, or the first rule that it breaks, as a sentence with `:attribute` for the name of the field. */
export function readDestination(sent: string, rules: DestinationRules): ReadDestination | Fault {
  // Twice as many units as characters: the rest is counted without what does not belong to the URL.
  const text = sent.length > 2 * DESTINATION_LENGTH_MAX ? sent : trimmed(sent).replaceAll(' ', '%20')
  if (isTooLong(text))
    return fault('too_long', `may not be greater than ${DESTINATION_LENGTH_MAX} characters.`)
  if (STRIPPED_OR_TURNED.test(text) || !text.isWellFormed()) return notAUrl(rules)
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined || !schemesOf(rules).includes(scheme)) return missingScheme(text, rules)
  const faulty = WEB_SCHEMES.includes(scheme) ? webFault(text, rules) : appFault(text, rules)
  return faulty ?? { text, href: parseUrl(text)!.href }
}

const schemesOf = ({ schemes = WEB_SCHEMES }: DestinationRules): readonly string[] => schemes

const alternatives = once(() => new Intl.ListFormat('en', { type: 'disjunction' }))

function notAUrl(rules: DestinationRules): Fault {
  const starts = schemesOf(rules).map((scheme) =>
    WEB_SCHEMES.includes(scheme) ? `${scheme}://` : `${scheme}:`,
  )
  return fault('url_invalid', `must be a valid URL that starts with ${alternatives().format(starts)}.`)
}

/** A host with a dot, with or without slashes before it: a word alone can be anything. */
const HOST_FIRST = /^(?:\/\/)?([^\s/?#@\\:.]+(?:\.[^\s/?#@\\:.]+)+\.?(?::\d{1,5})?(?:[/?#].*)?)$/s

/** Proposes the URL that was probably meant, if links may lead to it. */
function missingScheme(text: string, rules: DestinationRules): Fault {
  const rest = HOST_FIRST.exec(text)?.[1]
  if (rest === undefined || webFault(`https://${rest}`, rules) !== undefined) return notAUrl(rules)
  return fault('scheme_missing', `must start with https:// or another scheme. Did you mean https://${rest}?`)
}

function webFault(text: string, rules: DestinationRules): Fault | undefined {
  if (!WEB_START.test(text)) return notAUrl(rules)
  // Checks the text, because the parser removes an empty "user:password@".
  if (USERINFO.test(text.replace(WEB_START, '')))
    return fault('credentials_in_url', 'may not contain a user name or password.')
  const url = parseUrl(text)
  if (url === null || !isHost(url.hostname)) return notAUrl(rules)
  if (pointsToUs(url, rules.ownHosts))
    return fault('points_to_this_service', 'may not point to this service.')
  const faulty = targetFault(url, rules)
  if (faulty !== undefined) return faulty
  if (!rules.allowPrivate && isPrivateHost(url.hostname))
    return fault('private_address', 'may not point to a private address.')
  return undefined
}

/** Of a scheme that the operator has added: what follows it is for the app that opens it. */
function appFault(text: string, rules: DestinationRules): Fault | undefined {
  const url = parseUrl(text)
  return url === null ? notAUrl(rules) : targetFault(url, rules)
}

function targetFault({ href, hostname }: URL, rules: DestinationRules): Fault | undefined {
  // The parser escapes everything else. If it ever did not, the header would be unsafe.
  if (!VISIBLE_ASCII.test(href)) return notAUrl(rules)
  if (href.length > DESTINATION_BYTES_MAX)
    return fault('too_long', `may not be greater than ${DESTINATION_BYTES_MAX} bytes after percent-encoding.`)
  if (rules.blocks.isHostBlocked(hostname))
    return fault('host_blocked', 'may not lead there: the host is blocked.')
  return undefined
}

function isHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = withoutRootDot(hostname)
  return name.length <= HOST_NAME_LENGTH_MAX && name.split('.').every((label) => LABEL.test(label))
}

// A text has at most as many code points as UTF-16 units, and at least half as many. So most texts need no counting.
function isTooLong(text: string): boolean {
  if (text.length > 2 * DESTINATION_LENGTH_MAX) return true
  return text.length > DESTINATION_LENGTH_MAX && [...text].length > DESTINATION_LENGTH_MAX
}
