import type { LinkRoute } from '../links/routes/link-route.ts'
import type { RouteOptions } from '../links/routes/route-options.ts'
import {
  BLOCKED,
  decidePlain,
  DISABLED,
  LOOP,
  type Redirect,
  type RouteDecision,
  type RouteFacts,
} from './decide-route.ts'
import { forwardQuery } from './forward-query.ts'
import { matchRules } from './match-rules.ts'

/** Pure. Decides about every link, in the order in which a visitor meets its options. */
export function decideRoute(route: LinkRoute, facts: RouteFacts): RouteDecision {
  const { options } = route
  const plain = decidePlain(route)
  if (options === undefined || plain === BLOCKED || plain === DISABLED) return plain
  const { startsAtUs, expiresAtUs } = options
  if (startsAtUs !== null && facts.nowUs() < startsAtUs)
    return fallbackOr({ kind: 'scheduled', startsAtUs }, options, facts)
  if (expiresAtUs !== null && facts.nowUs() >= expiresAtUs)
    return fallbackOr({ kind: 'expired', expiresAtUs }, options, facts)
  const part = options.rules === null ? undefined : matchRules(options.rules, route.linkId, facts)
  if (part === undefined && plain === LOOP) return LOOP
  if (options.card !== null && facts.isPreview()) return { kind: 'card', card: options.card }
  if (part !== undefined) return redirectTo({ destination: part.to, variant: part.variant }, options, facts)
  return redirectTo({ destination: route.destination, variant: '' }, options, facts)
}

/** A blocked fallback is as good as none. */
function fallbackOr(decision: RouteDecision, options: RouteOptions, facts: RouteFacts): RouteDecision {
  const { fallback, blocked } = options
  if (fallback === null || blocked.has(fallback)) return decision
  return redirectTo({ destination: fallback, variant: 'fallback' }, options, facts)
}

function redirectTo(
  { destination, variant }: Pick<Redirect, 'destination' | 'variant'>,
  { forwardsQuery, status, blocked }: RouteOptions,
  { query }: RouteFacts,
): RouteDecision {
  if (blocked.has(destination)) return BLOCKED
  const forwarded = forwardsQuery ? forwardQuery(destination, query) : destination
  return { kind: 'redirect', destination: forwarded, status, variant }
}
