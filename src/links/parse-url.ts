/**
 * In UTF-16 units. A host name has at most 253 ASCII characters; this leaves room for its decomposed and percent-encoded
 * spellings.
 */
const AUTHORITY_UNITS_MAX = 1_024

// The parser strips tabs and newlines, trims blanks and reads a backslash as a slash, so that "\tjava\nscript:" becomes a
// scheme. What is refused before parsing cannot be turned into something else.
export const STRIPPED_OR_TURNED = /[\x00-\x20\x7f\\]/

/** Everything between the scheme and the path: of http and https the parser skips any number of slashes before it. */
const AUTHORITY = /^[^:/?#]*:\/*([^/?#]*)/

/**
 * An absolute URL; null when it is none. Its authority is measured first: the parser normalizes host names (IDNA), which
 * takes time with the square of their length.
 */
export function parseUrl(text: string): URL | null {
  if (STRIPPED_OR_TURNED.test(text)) return null
  const [, authority = ''] = AUTHORITY.exec(text) ?? []
  return authority.length > AUTHORITY_UNITS_MAX ? null : URL.parse(text)
}
