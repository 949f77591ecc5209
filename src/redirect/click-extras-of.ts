import type { ClickExtras } from '../clicks/journal/click-extras.ts'
import type { City } from '../clicks/visitor/geo-record.ts'
import { nameOfPair } from '../links/destinations/query-pairs.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import type { Redirect } from './decide-route.ts'
import { FROM_PREVIEW, QR_MARK } from './forward-query.ts'

/** Undefined for a click that has nothing that a plain one has not. */
export function extrasOf(
  { code, isAlias }: Pick<LinkRoute, 'code' | 'isAlias'>,
  { variant }: Redirect,
  { query, language, city }: { query: string; language: string; city: City | undefined },
): ClickExtras | undefined {
  const via = viaOf(query)
  if (variant === '' && language === '' && via === 'link' && !isAlias && city === undefined) return undefined
  return { variant, via, language, alias: isAlias ? code : '', city }
}

/** The preview page and QR codes say so themselves. */
function viaOf(query: string): ClickExtras['via'] {
  if (query === '') return 'link'
  const pairs = query.split('&')
  if (pairs.includes(FROM_PREVIEW)) return 'preview'
  return pairs.some((pair) => nameOfPair(pair).toLowerCase() === QR_MARK) ? 'qr' : 'link'
}
