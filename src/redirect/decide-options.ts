import type { QueryForwarding } from '../links/query-forwarding.ts'
import { REDIRECT_STATUS } from '../links/redirect-status.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import type { RouteOptions, SocialCard } from '../links/routes/route-options.ts'
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
import type { ClosedBy } from './decision-check.ts'
import { forwardPath } from './forward-path.ts'
import { addQuery, replaceQuery } from './forward-query.ts'
import { matchRules } from './match-rules.ts'

/** Pure. Decides about every link, in the order in which a visitor meets its options. */
export function decideRoute(route: LinkRoute, facts: RouteFacts): RouteDecision {
  const { options } = route
  const plain = decidePlain(route)
  if (options === undefined || plain === BLOCKED || plain === DISABLED) return plain
  const { startsAtUs, expiresAtUs, maxClicks, passwordKey } = options
  if (startsAtUs !== null && facts.nowUs() < startsAtUs)
    return closed({ kind: 'scheduled', startsAtUs }, facts, fallbackOf(options, facts))
  if (expiresAtUs !== null && facts.nowUs() >= expiresAtUs)
    return closed({ kind: 'expired', expiresAtUs }, facts, endOf(route, options, facts))
  if (maxClicks !== null) {
    const isReached = facts.isExhausted(route)
    facts.note?.({ kind: 'limit', isReached })
    if (isReached) return closed({ kind: 'limit_reached' }, facts, endOf(route, options, facts))
  }
  const card = cardFor(options, facts)
  if (passwordKey !== null) {
    const isKnown = facts.knowsPassword({ linkId: route.linkId, passwordKey })
    facts.note?.({ kind: 'password', isKnown })
    if (!isKnown) return card ?? PASSWORD
  }
  const part = options.rules === null ? undefined : matchRules(options.rules, route.linkId, facts)
  if (part === undefined && plain === LOOP) return LOOP
  if (card !== undefined) return card
  const { to: destination, variant } = part ?? { to: route.destination, variant: '' }
  if (options.blocked.has(destination)) return BLOCKED
  const longer = options.forwardsPath ? forwardPath(destination, facts.path) : destination
  const to = leadingTo({ destination: longer, variant }, options, facts)
  if (maxClicks === null) return to
  return { kind: 'limited', to, fallback: endOf(route, options, facts) }
}

const NO_FIELDS: SocialCard = { title: null, description: null, imageUrl: null }

/**
 * Also where a password is needed: a card says nothing of the destination. A link that tells its destination only to those who
 * open it has a card without the owner's. A blocked picture is as good as none.
 */
function cardFor(options: RouteOptions, facts: RouteFacts): RouteDecision | undefined {
  const { blocked, passwordKey, maxClicks } = options
  const card = options.card ?? (passwordKey === null && maxClicks === null ? null : NO_FIELDS)
  if (card === null || !facts.isPreview()) return undefined
  const hasPicture = card.imageUrl !== null && !blocked.has(card.imageUrl)
  return { kind: 'card', card: hasPicture ? card : { ...card, imageUrl: null } }
}

function closed(by: ClosedBy, facts: RouteFacts, fallback: RedirectDecision | undefined): RouteDecision {
  facts.note?.({ kind: 'closed', by, fallback })
  return fallback ?? by
}

/** Where a link that has ended leads: to its own fallback, or to where its domain leads visitors of such links. */
function endOf(route: LinkRoute, options: RouteOptions, facts: RouteFacts): RedirectDecision | undefined {
  const own = fallbackOf(options, facts)
  if (own !== undefined) return own
  const url = facts.endedUrl(route)
  if (url === null) return undefined
  return { kind: 'redirect', destination: url, status: REDIRECT_STATUS, variant: 'fallback' }
}

function fallbackOf(options: RouteOptions, facts: RouteFacts): RedirectDecision | undefined {
  const url = ownFallback(options)
  return url === undefined ? undefined : leadingTo({ destination: url, variant: 'fallback' }, options, facts)
}

/** A blocked fallback is as good as none. */
export const ownFallback = ({ fallback, blocked }: RouteOptions): string | undefined =>
  fallback === null || blocked.has(fallback) ? undefined : fallback

type RedirectDecision = Extract<RouteDecision, { kind: 'redirect' }>

function leadingTo(
  { destination, variant }: Pick<Redirect, 'destination' | 'variant'>,
  { forwardsQuery, status }: RouteOptions,
  { query }: RouteFacts,
): RedirectDecision {
  return { kind: 'redirect', destination: withQuery(destination, query, forwardsQuery), status, variant }
}

function withQuery(destination: string, query: string, forwards: QueryForwarding): string {
  if (forwards === false) return destination
  return forwards === 'replace' ? replaceQuery(destination, query) : addQuery(destination, query)
}
