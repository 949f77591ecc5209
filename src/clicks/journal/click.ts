import { type ClickExtras, encodeExtras, EXTRAS_BYTES_MAX } from './click-extras.ts'
import type { SegmentFormat } from './segment.ts'

/** One opening of a link, as the redirect knows it. The visitor's IP address is not part of it and never reaches a disk. */
export type Click = {
  linkId: number
  workspaceId: number
  /** Microseconds since 1970 UTC. */
  clickedAtUs: number
  /** Keyed hash below 2^53, different every day; 0 when the visitor asked not to be tracked. */
  visitor: number
  /** ISO 3166 alpha-2, '' when unknown. */
  country: string
  /** As sent, at most 512 characters. */
  userAgent: string
  /** Host name of the page that held the link, '' when unknown. */
  referrer: string
  /** Undefined for a plain click, which then costs nothing for it. */
  extras?: ClickExtras | undefined
}

export const USER_AGENT_CHARS_MAX = 512
export const REFERRER_CHARS_MAX = 255

export const PLAIN_BYTES_MIN = 38

/** The largest click: fixed fields and all texts at their bounds. */
export const CLICK_BYTES_MAX = PLAIN_BYTES_MIN + USER_AGENT_CHARS_MAX + REFERRER_CHARS_MAX + EXTRAS_BYTES_MAX

/** Kind 2 is the seal of a segment. */
export const PLAIN_KIND = 1
export const EXTENDED_KIND = 3
export const ALIAS_KIND = 4
export const CITY_KIND = 5

/** The lowest format of a segment that can hold the click. */
export function formatOf({ extras }: Click): SegmentFormat {
  if (extras === undefined) return 1
  if (extras.city !== undefined) return 4
  return extras.alias === '' ? 2 : 3
}

const KIND_OF = { 1: PLAIN_KIND, 2: EXTENDED_KIND, 3: ALIAS_KIND, 4: CITY_KIND }

/**
 * Writes a click at `start` and returns the offset behind it. A plain click is written as format 1 has always had it.
 *
 *   plain     kind u8 = 1 | link f64 | workspace f64 | time f64 | visitor f64 | country 2 × u8 | length u16, user agent |
 *             length u8, referrer
 *   extended  kind u8 = 3 | as plain | extras (click-extras.ts) without an alias
 *   by alias  kind u8 = 4 | as plain | extras with an alias
 *   of a city kind u8 = 5 | as plain | extras with an alias, or an empty one, and a city
 *
 * Numbers are little endian; ids and times are whole numbers below 2^53, which a double holds exactly. Texts are
 * Latin-1, as HTTP headers are, but for names of places.
 */
export function encodeClick(buffer: Buffer, start: number, click: Click): number {
  buffer[start] = KIND_OF[formatOf(click)]
  buffer.writeDoubleLE(click.linkId, start + 1)
  buffer.writeDoubleLE(click.workspaceId, start + 9)
  buffer.writeDoubleLE(click.clickedAtUs, start + 17)
  buffer.writeDoubleLE(click.visitor, start + 25)
  buffer[start + 33] = click.country === '' ? 0 : click.country.charCodeAt(0)
  buffer[start + 34] = click.country === '' ? 0 : click.country.charCodeAt(1)
  const userAgentBytes = buffer.write(click.userAgent, start + 37, USER_AGENT_CHARS_MAX, 'latin1')
  buffer.writeUInt16LE(userAgentBytes, start + 35)
  const referrerAt = start + 37 + userAgentBytes
  const referrerBytes = buffer.write(click.referrer, referrerAt + 1, REFERRER_CHARS_MAX, 'latin1')
  buffer[referrerAt] = referrerBytes
  const end = referrerAt + 1 + referrerBytes
  return click.extras === undefined ? end : encodeExtras(buffer, end, click.extras)
}
