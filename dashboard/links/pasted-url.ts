export const isMultiline = (text: string): boolean => /\S\s*[\r\n]\s*\S/.test(text)

/** Spaces and characters that nobody sees. The server removes those at the end, too. */
const PASTED_BEFORE = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/u
const HOST_FIRST = /^(?:\/\/)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#].*)?)$/u

/** Without what was pasted along, and with `https://` where no scheme but a host is. */
export function withScheme(text: string): string {
  const url = text.replace(PASTED_BEFORE, '').trim()
  const [, rest] = HOST_FIRST.exec(url) ?? []
  return rest === undefined ? url : `https://${rest}`
}

export const looksLikeUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#]+(?:[/?#].*)?$/i.test(withScheme(text))
