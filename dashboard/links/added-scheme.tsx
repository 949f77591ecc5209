import { strings } from '../strings.ts'

export const isMultiline = (text: string): boolean => /\S\s*[\r\n]\s*\S/.test(text)

/** Spaces and characters that nobody sees. The server removes those at the end, too. */
const PASTED_BEFORE = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/u
const HOST_FIRST = /^(?:\/\/)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#].*)?)$/u

const trimmed = (text: string): string => text.replace(PASTED_BEFORE, '').trim()

/** What becomes of a text that names no scheme; else undefined. */
export function withAddedScheme(text: string): string | undefined {
  const rest = HOST_FIRST.exec(trimmed(text))?.[1]
  return rest === undefined ? undefined : `https://${rest}`
}

/** Without what was pasted along, and with `https://` where no scheme but a host is. */
export const withScheme = (text: string): string => withAddedScheme(text) ?? trimmed(text)

export const looksLikeUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#]+(?:[/?#].*)?$/i.test(withScheme(text))

/** Says which URL a destination without a scheme becomes, before it is saved. */
export function AddedScheme({ text }: { text: string }) {
  const url = withAddedScheme(text)
  return (
    <span role="status" className="added-scheme">
      {url !== undefined && <span className="hint">{strings.links.savedAs(url)}</span>}
    </span>
  )
}
