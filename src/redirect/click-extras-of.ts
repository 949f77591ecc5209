import type { ClickExtras } from '../clicks/journal/click-extras.ts'
import { namedPairs } from '../links/destinations/query-pairs.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import type { Redirect } from './decide-route.ts'
import { FROM_PREVIEW, QR_MARK } from './forward-query.ts'

/** Undefined for a click that has nothing that a plain one has not. */
export function extrasOf(
  { code, isAlias }: Pick<LinkRoute, 'code' | 'isAlias'>,
  { variant }: Redirect,
  { query, utm, language, city }: Pick<ClickExtras, 'utm' | 'language' | 'city'> & { query: string },
): ClickExtras | undefined {
  const via = viaOf(query)
  const isPlain = variant === '' && language === '' && via === 'link' && utm === ''
  if (isPlain && !isAlias && city === undefined) return undefined
  return { variant, via, language, utm, alias: isAlias ? code : '', city }
}

/** The preview page and QR codes say so themselves. */
function viaOf(query: string): ClickExtras['via'] {
  if (query === '') return 'link'
  const pairs = namedPairs(query)
  if (pairs.some(({ pair }) => pair === FROM_PREVIEW)) return 'preview'
  return pairs.some(({ name }) => name.toLowerCase() === QR_MARK) ? 'qr' : 'link'
}
