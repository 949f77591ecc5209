import type { ClickExtras } from '../clicks/journal/click-extras.ts'
import type { RouteOptions } from '../links/routes/route-options.ts'
import type { Redirect } from './decide-route.ts'
import { FROM_PREVIEW } from './forward-query.ts'
import type { Visit } from './visit.ts'

/** Undefined for a click that has nothing that a plain one has not. */
export function extrasOf(
  options: RouteOptions | undefined,
  { variant }: Redirect,
  visit: Visit,
): ClickExtras | undefined {
  const query = options?.forwardsQuery === true ? visit.query : ''
  const via = visit.query.split('&').includes(FROM_PREVIEW) ? 'preview' : 'link'
  if (variant === '' && query === '' && via === 'link') return undefined
  return { variant, via, language: '', query }
}
