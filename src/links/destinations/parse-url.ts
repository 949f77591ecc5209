/**
 * In UTF-16 units. A host name has at most 253 ASCII characters. This leaves room for decomposed and percent-encoded ones.
 */
const AUTHORITY_UNITS_MAX = 1_024

// The parser removes tabs and newlines, trims spaces and reads a backslash as a slash, so "\tjava\nscript:" becomes a scheme.
// Texts with these characters are refused before they are parsed. In a query and a fragment, a backslash stays what it is.
export const STRIPPED_OR_TURNED = /[\x00-\x20\x7f]|^[^?#\\]*\\/

/** Everything between scheme and path. For http and https the parser skips any number of slashes before it. */
const AUTHORITY = /^[^:/?#]*:\/*([^/?#]*)/

/**
 * An absolute URL, or null. Checks the length of the authority first: the parser normalizes host names (IDNA) in quadratic
 * time.
 */
export function parseUrl(text: string): URL | null {
  if (STRIPPED_OR_TURNED.test(text)) return null
  const [, authority = ''] = AUTHORITY.exec(text) ?? []
  return authority.length > AUTHORITY_UNITS_MAX ? null : URL.parse(text)
}

export const isWeb = ({ protocol }: Pick<URL, 'protocol'>): boolean =>
  protocol === 'https:' || protocol === 'http:'
