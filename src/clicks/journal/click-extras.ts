/** What few clicks have. One that has none of it is a plain click and holds no extras at all. */
export type ClickExtras = {
  /** Which of the link's destinations was chosen; '' for its plain one. */
  variant: string
  via: (typeof VIAS)[number]
  /** Primary language subtag in lower case ('pt'); '' when unknown or not asked for. */
  language: string
  /** The code that was opened, if it is not the link's own; '' otherwise. */
  alias: string
}

/** How the visitor came: by the short URL, its QR code or its preview page. Each is journaled as its place in this list. */
export const VIAS = ['link', 'qr', 'preview'] as const

export const VARIANT_CHARS_MAX = 64
const LANGUAGE_CHARS_MAX = 8
/** Earlier versions wrote the query of the request, which nothing has ever read. */
const QUERY_BYTES_MAX = 1_024
/** As long as any code. */
const ALIAS_CHARS_MAX = 64

export const EXTRAS_BYTES_MAX = 6 + VARIANT_CHARS_MAX + LANGUAGE_CHARS_MAX + QUERY_BYTES_MAX + ALIAS_CHARS_MAX

/**
 * Writes the extras at `start` and returns the offset behind them.
 *
 *   via u8 | length u8, variant | length u8, language | length u16 = 0 | length u8, alias; absent if there is none
 */
export function encodeExtras(
  buffer: Buffer,
  start: number,
  { variant, via, language, alias }: ClickExtras,
): number {
  buffer[start] = VIAS.indexOf(via)
  const variantBytes = buffer.write(variant, start + 2, VARIANT_CHARS_MAX, 'latin1')
  buffer[start + 1] = variantBytes
  const languageAt = start + 2 + variantBytes
  const languageBytes =
    language === '' ? 0 : buffer.write(language, languageAt + 1, LANGUAGE_CHARS_MAX, 'latin1')
  buffer[languageAt] = languageBytes
  const queryAt = languageAt + 1 + languageBytes
  buffer.writeUInt16LE(0, queryAt)
  const end = queryAt + 2
  if (alias === '') return end
  buffer[end] = buffer.write(alias, end + 1, ALIAS_CHARS_MAX, 'latin1')
  return end + 1 + buffer[end]!
}

/** Reads extras back; undefined unless they end where the payload does. */
export function decodeExtras(
  payload: Buffer,
  { start, hasAlias }: { start: number; hasAlias: boolean },
): ClickExtras | undefined {
  // A length beyond the payload's end reads as NaN, and no comparison holds for that.
  const languageAt = start + 2 + (payload[start + 1] ?? NaN)
  const queryAt = languageAt + 1 + (payload[languageAt] ?? NaN)
  if (!(queryAt + 2 <= payload.length)) return undefined
  const aliasAt = queryAt + 2 + payload.readUInt16LE(queryAt)
  const end = hasAlias ? aliasAt + 1 + (payload[aliasAt] || NaN) : aliasAt
  const via = VIAS[payload[start]!]
  if (end !== payload.length || via === undefined) return undefined
  return {
    variant: payload.toString('latin1', start + 2, languageAt),
    via,
    language: payload.toString('latin1', languageAt + 1, queryAt),
    alias: hasAlias ? payload.toString('latin1', aliasAt + 1, end) : '',
  }
}
