import type { LinkRoute } from '../links/routes/link-route.ts'

/** Everything that can happen to a visitor of a link that exists. `openLink` has one case for each. */
export type RouteDecision =
  | { kind: 'redirect'; destination: string; status: 302 }
  /** By its owner. */
  | { kind: 'disabled' }
  /** By the operator of the server. */
  | { kind: 'blocked' }
  /** The destination is a short URL of this server. */
  | { kind: 'loop' }

const DISABLED: RouteDecision = { kind: 'disabled' }
const BLOCKED: RouteDecision = { kind: 'blocked' }
const LOOP: RouteDecision = { kind: 'loop' }

/** Pure. It runs on every visit, so what takes more than a comparison is worked out when the route is read. */
export function decideRoute({ destination, isActive, blockedBy }: LinkRoute): RouteDecision {
  if (blockedBy === 'operator') return BLOCKED
  if (!isActive) return DISABLED
  if (blockedBy === 'loop') return LOOP
  // 302, not 301: browsers keep a 301 for good, and an edited link would go on opening its old destination.
  return { kind: 'redirect', destination, status: 302 }
}
