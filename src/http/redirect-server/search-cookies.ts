const COLON = 58
const NAME = 'cookie'

/**
 * The cookies of a request; null if there are none. They are not parsed with the head, because few visits need them. `lines`: from the end of
 * the request line to the end of the head, its empty line included.
 */
export function searchCookies(lines: string): string | null {
  let match: string | null = null
  for (let end = 0; ;) {
    const start = end + 2
    end = lines.indexOf('\r\n', start)
    if (end <= start) return match
    const colon = start + NAME.length
    if (lines.charCodeAt(colon) !== COLON || !isNameAt(lines, start)) continue
    const value = lines.slice(colon + 1, end).trim()
    match = match === null ? value : `${match}; ${value}`
  }
}

/** Of the characters of a name, only capitals become letters by setting the bit. */
function isNameAt(text: string, start: number): boolean {
  for (let i = 0; i < NAME.length; i++) {
    if ((text.charCodeAt(start + i) | 32) !== NAME.charCodeAt(i)) return false
  }
  return true
}
