import { type ClickExtras, VIAS } from './click-extras.ts'

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
