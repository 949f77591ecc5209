import type { LinkRoute } from '../links/routes/link-route.ts'
import type { RouteOptions } from '../links/routes/route-options.ts'
import {
  BLOCKED,
  decidePlain,
  DISABLED,
  LOOP,
  PASSWORD,
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
  const { startsAtUs, expiresAtUs, passwordKey } = options
  if (startsAtUs !== null && facts.nowUs() < startsAtUs)
    return fallbackOr({ kind: 'scheduled', startsAtUs }, options, facts)
  if (expiresAtUs !== null && facts.nowUs() >= expiresAtUs)
    return fallbackOr({ kind: 'expired', expiresAtUs }, options, facts)
  const card = cardFor(options, facts)
  if (passwordKey !== null && !facts.knowsPassword({ linkId: route.linkId, passwordKey }))
    return card ?? PASSWORD
  const part = options.rules === null ? undefined : matchRules(options.rules, route.linkId, facts)
  if (part === undefined && plain === LOOP) return LOOP
  if (card !== undefined) return card
  const { to: destination, variant } = part ?? { to: route.destination, variant: '' }
  if (options.blocked.has(destination)) return BLOCKED
  const to = leadingTo({ destination, variant }, options, facts)
  if (options.maxClicks === null) return { kind: 'redirect', ...to }
  return { kind: 'limited', to, fallback: fallbackOf(options, facts) }
}

/** Also where a password is needed: a card says nothing of the destination. */
const cardFor = ({ card }: RouteOptions, facts: RouteFacts): RouteDecision | undefined =>
  card !== null && facts.isPreview() ? { kind: 'card', card } : undefined

function fallbackOr(decision: RouteDecision, options: RouteOptions, facts: RouteFacts): RouteDecision {
  const to = fallbackOf(options, facts)
  return to === undefined ? decision : { kind: 'redirect', ...to }
}

/** A blocked fallback is as good as none. */
function fallbackOf(options: RouteOptions, facts: RouteFacts): Redirect | undefined {
  const { fallback, blocked } = options
  if (fallback === null || blocked.has(fallback)) return undefined
  return leadingTo({ destination: fallback, variant: 'fallback' }, options, facts)
}

function leadingTo(
  { destination, variant }: Pick<Redirect, 'destination' | 'variant'>,
  { forwardsQuery, status }: RouteOptions,
  { query }: RouteFacts,
): Redirect {
  const forwarded = forwardsQuery ? forwardQuery(destination, query) : destination
  return { destination: forwarded, status, variant }
}
