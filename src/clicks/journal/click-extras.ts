import type { City } from '../visitor/geo-record.ts'

/** What few clicks have. One that has none of it is a plain click and holds no extras at all. */
export type ClickExtras = {
  /** Which of the link's destinations was chosen; '' for its plain one. */
  variant: string
  via: (typeof VIAS)[number]
  /** Primary language subtag in lower case ('pt'); '' when unknown or not asked for. */
  language: string
  /** The code that was opened, if it is not the link's own; '' otherwise. */
  alias: string
  /** Where the database of `GEOIP_DB` has cities. */
  city?: City | undefined
}

/** How the visitor came: by the short URL, its QR code or its preview page. Each is journaled as its place in this list. */
export const VIAS = ['link', 'qr', 'preview'] as const

export const VARIANT_CHARS_MAX = 64
const LANGUAGE_CHARS_MAX = 8
/** Earlier versions wrote the query of the request, which nothing has ever read. */
const QUERY_BYTES_MAX = 1_024
/** As long as any code. */
const ALIAS_CHARS_MAX = 64
/** In UTF-8. */
const NAME_BYTES_MAX = 255

export const EXTRAS_BYTES_MAX =
  8 + VARIANT_CHARS_MAX + LANGUAGE_CHARS_MAX + QUERY_BYTES_MAX + ALIAS_CHARS_MAX + 2 * NAME_BYTES_MAX

/**
 * Writes the extras at `start` and returns the offset behind them.
 *
 *   via u8 | length u8, variant | length u8, language | length u16 = 0 | length u8, alias | length u8, region | length u8, city
 *
 * The last two are absent if there is no city, and the alias too if there is neither. Names of places are UTF-8.
 */
export function encodeExtras(
  buffer: Buffer,
  start: number,
  { variant, via, language, alias, city }: ClickExtras,
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
  if (alias === '' && city === undefined) return end
  buffer[end] = buffer.write(alias, end + 1, ALIAS_CHARS_MAX, 'latin1')
  const aliasEnd = end + 1 + buffer[end]!
  return city === undefined ? aliasEnd : encodeCity(buffer, aliasEnd, city)
}

function encodeCity(buffer: Buffer, start: number, { region, name }: City): number {
  buffer[start] = buffer.write(region, start + 1, NAME_BYTES_MAX, 'utf8')
  const nameAt = start + 1 + buffer[start]!
  buffer[nameAt] = buffer.write(name, nameAt + 1, NAME_BYTES_MAX, 'utf8')
  return nameAt + 1 + buffer[nameAt]!
}

/** Reads extras back; undefined unless they end where the payload does. */
export function decodeExtras(
  payload: Buffer,
  { start, hasAlias, hasCity }: { start: number; hasAlias: boolean; hasCity: boolean },
): ClickExtras | undefined {
  // A length beyond the payload's end reads as NaN, and no comparison holds for that.
  const languageAt = start + 2 + (payload[start + 1] ?? NaN)
  const queryAt = languageAt + 1 + (payload[languageAt] ?? NaN)
  if (!(queryAt + 2 <= payload.length)) return undefined
  const aliasAt = queryAt + 2 + payload.readUInt16LE(queryAt)
  const aliasEnd = hasAlias || hasCity ? aliasAt + 1 + (payload[aliasAt] ?? NaN) : aliasAt
  if (hasAlias && aliasEnd === aliasAt + 1) return undefined
  const nameAt = hasCity ? aliasEnd + 1 + (payload[aliasEnd] ?? NaN) : aliasEnd
  const end = hasCity ? nameAt + 1 + (payload[nameAt] ?? NaN) : nameAt
  const via = VIAS[payload[start]!]
  if (end !== payload.length || via === undefined) return undefined
  return {
    variant: payload.toString('latin1', start + 2, languageAt),
    via,
    language: payload.toString('latin1', languageAt + 1, queryAt),
    alias: hasAlias || hasCity ? payload.toString('latin1', aliasAt + 1, aliasEnd) : '',
    ...(hasCity && {
      city: {
        region: payload.toString('utf8', aliasEnd + 1, nameAt),
        name: payload.toString('utf8', nameAt + 1, end),
      },
    }),
  }
}
