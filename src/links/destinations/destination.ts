import { type Blocks, withoutRootDot } from './blocks.ts'
import { parseUrl, STRIPPED_OR_TURNED } from './parse-url.ts'
import type { FieldCode } from '../../errors/field-codes.ts'
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
}

const START = /^https?:\/\/(?=[^/])/i
const USERINFO = /^[^/?#]*@/
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

// RFC 1035, 2.3.4, which the parser does not enforce. Underscores occur in practice.
const HOST_NAME_LENGTH_MAX = 253
const LABEL = /^[a-z0-9_-]{1,63}$/

/**
 * The URL to redirect to, as the parser normalizes it, or the first rule that it breaks, as a sentence with `:attribute` for the
 * name of the field.
 */
export function readDestination(
  text: string,
  rules: DestinationRules,
): { href: string } | { code: FieldCode; error: string } {
  const refuse = (code: FieldCode, rule: string) => ({ code, error: `The :attribute ${rule}` })
  const notAUrl = refuse('url_invalid', 'must be a valid URL that starts with http:// or https://.')

  if (isTooLong(text))
    return refuse('too_long', `may not be greater than ${DESTINATION_LENGTH_MAX} characters.`)
  if (!START.test(text) || STRIPPED_OR_TURNED.test(text) || !text.isWellFormed()) return notAUrl
  // Checks the text, because the parser removes an empty "user:password@".
  if (USERINFO.test(text.replace(START, '')))
    return refuse('credentials_in_url', 'may not contain a user name or password.')

  const url = parseUrl(text)
  if (url === null || !isHost(url.hostname)) return notAUrl
  // The parser escapes everything else. If it ever did not, the header would be unsafe.
  if (!VISIBLE_ASCII.test(url.href)) return notAUrl
  if (url.href.length > DESTINATION_BYTES_MAX)
    return refuse(
      'too_long',
      `may not be greater than ${DESTINATION_BYTES_MAX} bytes after percent-encoding.`,
    )
  if (pointsToUs(url, rules.ownHosts))
    return refuse('points_to_this_service', 'may not point to this service.')
  if (rules.blocks.isHostBlocked(url.hostname))
    return refuse('host_blocked', 'may not lead there: the host is blocked.')
  if (!rules.allowPrivate && isPrivateHost(url.hostname))
    return refuse('private_address', 'may not point to a private address.')
  return { href: url.href }
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
