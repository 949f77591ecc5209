/** The parts of a URL around its query. `query` has no "?" and is '' if there is none; `fragment` has its "#". */
export function splitQuery(url: string): { path: string; query: string; fragment: string } {
  const fragmentAt = url.indexOf('#')
  const [start, fragment] = fragmentAt === -1 ? [url, ''] : [url.slice(0, fragmentAt), url.slice(fragmentAt)]
  const queryAt = start.indexOf('?')
  if (queryAt === -1) return { path: start, query: '', fragment }
  return { path: start.slice(0, queryAt), query: start.slice(queryAt + 1), fragment }
}

/** The name in `name=value`, decoded, so that another spelling of a name is the same name. */
export const nameOfPair = (pair: string): string => {
  const equalsAt = pair.indexOf('=')
  return decoded(equalsAt === -1 ? pair : pair.slice(0, equalsAt))
}

/** The value in `name=value`, decoded; '' if there is none. */
export function valueOfPair(pair: string): string {
  const equalsAt = pair.indexOf('=')
  return equalsAt === -1 ? '' : decoded(pair.slice(equalsAt + 1))
}

/** As it is if it is not percent-encoded correctly. */
function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
