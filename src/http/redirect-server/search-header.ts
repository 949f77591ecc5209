const COLON = 58

/**
 * The values of a header that is not parsed with the head, because few visits ask for it; null if there are none. `lines`: from
 * the end of the request line to the end of the head, its empty line included.
 */
export function searchHeader(lines: string, name: string): string | null {
  let match: string | null = null
  for (let end = 0; ;) {
    const start = end + 2
    end = lines.indexOf('\r\n', start)
    if (end <= start) return match
    const colon = start + name.length
    if (lines.charCodeAt(colon) !== COLON || !isNameIn(lines, start, name)) continue
    const value = lines.slice(colon + 1, end).trim()
    match = match === null ? value : `${match}${name === 'cookie' ? '; ' : ', '}${value}`
  }
}

/** Of the characters of a name, only capitals become letters by setting the bit. */
function isNameIn(text: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((text.charCodeAt(start + i) | 32) !== name.charCodeAt(i)) return false
  }
  return true
}
