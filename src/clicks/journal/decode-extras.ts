import { type ClickExtras, VIAS } from './click-extras.ts'

/** Earlier versions wrote the whole query in the place of its UTM parameters. It is left out unless it has nothing else. */
const UTM_TEXT = /^(?:(?:^|&)utm_(?:source|medium|campaign|term|content)=[^&=]+)*$/

/** Reads extras back; undefined unless they end where the payload does. */
export function decodeExtras(
  payload: Buffer,
  { start, hasAlias, hasCity }: { start: number; hasAlias: boolean; hasCity: boolean },
): ClickExtras | undefined {
  // A length beyond the payload's end reads as NaN, and no comparison holds for that.
  const languageAt = start + 2 + (payload[start + 1] ?? NaN)
  const utmAt = languageAt + 1 + (payload[languageAt] ?? NaN)
  if (!(utmAt + 2 <= payload.length)) return undefined
  const aliasAt = utmAt + 2 + payload.readUInt16LE(utmAt)
  const aliasEnd = hasAlias || hasCity ? aliasAt + 1 + (payload[aliasAt] ?? NaN) : aliasAt
  if (hasAlias && aliasEnd === aliasAt + 1) return undefined
  const nameAt = hasCity ? aliasEnd + 1 + (payload[aliasEnd] ?? NaN) : aliasEnd
  const end = hasCity ? nameAt + 1 + (payload[nameAt] ?? NaN) : nameAt
  const via = VIAS[payload[start]!]
  if (end !== payload.length || via === undefined) return undefined
  const utm = payload.toString('latin1', utmAt + 2, aliasAt)
  return {
    variant: payload.toString('latin1', start + 2, languageAt),
    via,
    language: payload.toString('latin1', languageAt + 1, utmAt),
    utm: UTM_TEXT.test(utm) ? utm : '',
    alias: hasAlias || hasCity ? payload.toString('utf8', aliasAt + 1, aliasEnd) : '',
    ...(hasCity && {
      city: {
        region: payload.toString('utf8', aliasEnd + 1, nameAt),
        name: payload.toString('utf8', nameAt + 1, end),
      },
    }),
  }
}
