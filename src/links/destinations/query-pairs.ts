/** The parts of a URL around its query. `query` has no "?" and is '' if there is none; `fragment` has its "#". */
export function splitQuery(url: string): { path: string; query: string; fragment: string } {
  const fragmentAt = url.indexOf('#')
  const [start, fragment] = fragmentAt === -1 ? [url, ''] : [url.slice(0, fragmentAt), url.slice(fragmentAt)]
  const queryAt = start.indexOf('?')
  if (queryAt === -1) return { path: start, query: '', fragment }
  return { path: start.slice(0, queryAt), query: start.slice(queryAt + 1), fragment }
}

/**
 * The pairs of a query with their names, decoded, so that another spelling of a name is the same name. If anything in the query is not
 * percent-encoded correctly, names are as they are: a query can have thousands, and each that cannot be decoded would cost an exception.
 */
export function namedPairs(query: string): { name: string; pair: string }[] {
  const nameOf = isDecodable(query) ? decoded : withSpaces
  return query.split('&').map((pair) => {
    const equalsAt = pair.indexOf('=')
    return { name: nameOf(equalsAt === -1 ? pair : pair.slice(0, equalsAt)), pair }
  })
}

function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The value in `name=value`, decoded; '' if there is none. */
export function valueOfPair(pair: string): string {
  const equalsAt = pair.indexOf('=')
  return equalsAt === -1 ? '' : decoded(pair.slice(equalsAt + 1))
}

/** As it is if it is not percent-encoded correctly. */
function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text
  const spaced = withSpaces(text)
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

const withSpaces = (text: string): string => text.replaceAll('+', ' ')
