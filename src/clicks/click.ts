/** One opening of a link, as the redirect knows it. The visitor's address is not part of it and never reaches a disk. */
export type Click = {
  linkId: number
  accountId: number
  /** Microseconds since 1970 UTC. */
  clickedAtUs: number
  /** Keyed hash below 2^53, different every day; 0 when the visitor asked not to be told apart. */
  visitor: number
  /** ISO 3166 alpha-2, '' when unknown. */
  country: string
  /** As sent, at most 512 characters. */
  userAgent: string
  /** Host name of the page that held the link, '' when unknown. */
  referrer: string
}

export const USER_AGENT_CHARS_MAX = 512
export const REFERRER_CHARS_MAX = 255

/** The largest click: fixed fields and both texts at their bounds. */
export const CLICK_BYTES_MAX = 38 + USER_AGENT_CHARS_MAX + REFERRER_CHARS_MAX

const CLICK_KIND = 1

/**
 * Writes a click at `start` and returns the offset behind it.
 *
 *   kind u8 | link f64 | account f64 | time f64 | visitor f64 | country 2 × u8 | length u16, user agent | length u8, referrer
 *
 * Numbers are little endian; ids and times are whole numbers below 2^53, which a double holds exactly. Texts are
 * Latin-1, as HTTP headers are.
 */
export function encodeClick(buffer: Buffer, start: number, click: Click): number {
  buffer[start] = CLICK_KIND
  buffer.writeDoubleLE(click.linkId, start + 1)
  buffer.writeDoubleLE(click.accountId, start + 9)
  buffer.writeDoubleLE(click.clickedAtUs, start + 17)
  buffer.writeDoubleLE(click.visitor, start + 25)
  buffer[start + 33] = click.country === '' ? 0 : click.country.charCodeAt(0)
  buffer[start + 34] = click.country === '' ? 0 : click.country.charCodeAt(1)
  const userAgentBytes = buffer.write(click.userAgent, start + 37, USER_AGENT_CHARS_MAX, 'latin1')
  buffer.writeUInt16LE(userAgentBytes, start + 35)
  const referrerAt = start + 37 + userAgentBytes
  const referrerBytes = buffer.write(click.referrer, referrerAt + 1, REFERRER_CHARS_MAX, 'latin1')
  buffer[referrerAt] = referrerBytes
  return referrerAt + 1 + referrerBytes
}

/** Reads a click back; undefined when the record is not one that this version understands. */
export function decodeClick(payload: Buffer): Click | undefined {
  if (payload[0] !== CLICK_KIND || payload.length < 38) return undefined
  const userAgentEnd = 37 + payload.readUInt16LE(35)
  if (userAgentEnd >= payload.length) return undefined
  const end = userAgentEnd + 1 + payload[userAgentEnd]!
  const click: Click = {
    linkId: payload.readDoubleLE(1),
    accountId: payload.readDoubleLE(9),
    clickedAtUs: payload.readDoubleLE(17),
    visitor: payload.readDoubleLE(25),
    country: payload[33] === 0 ? '' : payload.toString('latin1', 33, 35),
    userAgent: payload.toString('latin1', 37, userAgentEnd),
    referrer: payload.toString('latin1', userAgentEnd + 1, end),
  }
  return end === payload.length && isPlausible(click) ? click : undefined
}

const isCount = (value: number, least: number) => Number.isSafeInteger(value) && value >= least

function isPlausible({ linkId, accountId, clickedAtUs, visitor, country }: Click): boolean {
  const numbers =
    isCount(linkId, 1) && isCount(accountId, 1) && isCount(clickedAtUs, 0) && isCount(visitor, 0)
  return numbers && (country === '' || /^[A-Z]{2}$/.test(country))
}
