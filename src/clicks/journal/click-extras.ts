import type { City } from '../visitor/geo-record.ts'

/** What not all clicks have. One that has none of it is a plain click and holds no extras at all. */
export type ClickExtras = {
  /** Which of the link's destinations was chosen; '' for its plain one. */
  variant: string
  via: (typeof VIAS)[number]
  /** Primary language subtag in lower case ('pt'); '' when unknown. */
  language: string
  /** The UTM parameters of the short URL as it was opened, where the workspace counts them (utm-text.ts); '' otherwise. */
  utm: string
  /** The code that was opened, if it is not the link's own; '' otherwise. */
  alias: string
  /** Where the database of `GEOIP_DB` has cities. */
  city?: City | undefined
}

/** How the visitor came: by the short URL, its QR code or its preview page. Each is journaled as its place in this list. */
export const VIAS = ['link', 'qr', 'preview'] as const

export const VARIANT_CHARS_MAX = 64
const LANGUAGE_CHARS_MAX = 8
const UTM_BYTES_MAX = 1_024
/** Of an alias, a region or a city, in UTF-8. No code has more. */
const NAME_BYTES_MAX = 255

export const EXTRAS_BYTES_MAX =
  8 + VARIANT_CHARS_MAX + LANGUAGE_CHARS_MAX + UTM_BYTES_MAX + 3 * NAME_BYTES_MAX

/**
 * Writes the extras at `start` and returns the offset behind them.
 *
 *   via u8 | length u8, variant | length u8, language | length u16, UTM | length u8, alias | length u8, region | length u8, city
 *
 * The last two are absent if there is no city, and the alias too if there is neither. These three are UTF-8.
 */
export function encodeExtras(
  buffer: Buffer,
  start: number,
  { variant, via, language, utm, alias, city }: ClickExtras,
): number {
  buffer[start] = VIAS.indexOf(via)
  const languageAt = encodeText(buffer, start + 1, variant, VARIANT_CHARS_MAX)
  const utmAt = encodeText(buffer, languageAt, language, LANGUAGE_CHARS_MAX)
  const utmBytes = utm === '' ? 0 : buffer.write(utm, utmAt + 2, UTM_BYTES_MAX, 'latin1')
  const end = buffer.writeUInt16LE(utmBytes, utmAt) + utmBytes
  if (alias === '' && city === undefined) return end
  const aliasEnd = encodeName(buffer, end, alias)
  return city === undefined ? aliasEnd : encodeCity(buffer, aliasEnd, city)
}

/** Most clicks have a language and nothing else, so an empty text costs nothing. */
function encodeText(buffer: Buffer, start: number, text: string, bytesMax: number): number {
  const length = text === '' ? 0 : buffer.write(text, start + 1, bytesMax, 'latin1')
  buffer[start] = length
  return start + 1 + length
}

const encodeCity = (buffer: Buffer, start: number, { region, name }: City): number =>
  encodeName(buffer, encodeName(buffer, start, region), name)

function encodeName(buffer: Buffer, start: number, name: string): number {
  const length = buffer.write(name, start + 1, NAME_BYTES_MAX, 'utf8')
  buffer[start] = length
  return start + 1 + length
}
