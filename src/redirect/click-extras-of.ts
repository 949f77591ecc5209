import type { ClickExtras } from '../clicks/journal/click-extras.ts'
import type { City } from '../clicks/visitor/geo-record.ts'
import { nameOfPair } from '../links/destinations/query-pairs.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { primaryLanguage } from './accept-language.ts'
import type { Redirect, RouteFacts } from './decide-route.ts'
import { FROM_PREVIEW, QR_MARK } from './forward-query.ts'

/** A plain link asks for the query only. */
type VisitQuery = Pick<RouteFacts, 'query'> & Partial<Pick<RouteFacts, 'languages'>>

/** Undefined for a click that has nothing that a plain one has not. */
export function extrasOf(
  { options, code, isAlias }: Pick<LinkRoute, 'options' | 'code' | 'isAlias'>,
  { variant }: Redirect,
  { visit, city }: { visit: VisitQuery; city: City | undefined },
): ClickExtras | undefined {
  const via = viaOf(visit.query)
  const asksForLanguage = (options?.rules?.languages.size ?? 0) > 0
  const language = asksForLanguage ? primaryLanguage(visit.languages?.() ?? []) : ''
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
