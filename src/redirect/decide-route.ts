import type { Visitor } from '../clicks/visitor/read-user-agent.ts'
import type { RedirectStatus } from '../links/redirect-status.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import type { SocialCard } from '../links/routes/route-options.ts'
import type { Check } from './decision-check.ts'
import type { ProtectedLink } from './password-cookie.ts'

/** Everything that can happen to a visitor of a link that exists. `openLink` has one case for each. */
export type RouteDecision =
  /** To the link's destination, as a plain link does. */
  | { kind: 'destination' }
  | ({ kind: 'redirect' } & Redirect)
  /** The same for a link with a limit, of which each visitor spends one opening; `fallback` if none is left after all. */
  | { kind: 'limited'; to: Redirect; fallback: Redirect | undefined }
  /** For those who make a preview of the link. */
  | { kind: 'card'; card: SocialCard }
  /** It does not redirect yet. */
  | { kind: 'scheduled'; startsAtUs: number }
  | { kind: 'expired'; expiresAtUs: number }
  /** As this node knows: no opening is left. */
  | { kind: 'limit_reached' }
  /** The visitor has not entered the link's password. */
  | { kind: 'password' }
  /** By its owner. */
  | { kind: 'disabled' }
  /** By the operator of the server. */
  | { kind: 'blocked' }
  /** The destination is a short URL of this server. */
  | { kind: 'loop' }

export type Redirect = {
  destination: string
  status: RedirectStatus
  /** Where it leads, as clicks say it; '' for the link's own destination. */
  variant: string
}

/** What a decision may ask about a visit. Worked out only when it is asked for. */
export type RouteFacts = {
  nowUs(): number
  /** Without the "?"; '' if there is none. */
  query: string
  /** What follows the code, with its slash; '' if there is none. */
  path: string
  /** Whether the page is fetched to show a preview of it. */
  isPreview(): boolean
  /** ISO 3166 alpha-2, '' when unknown. */
  country(): string
  client(): Visitor
  /** In lower case, the preferred ones first. */
  languages(): readonly string[]
  /** The day's hash of the visitor, or a random number for visitors who ask not to be tracked. */
  visitor(): number
  /** Where the link's domain leads visitors of links that have ended and have no fallback of their own. */
  endedUrl(route: LinkRoute): string | null
  /** Whether the limit of the link is used up, as far as this node knows. */
  isExhausted(route: LinkRoute): boolean
  /** Whether the visitor has entered it lately. */
  knowsPassword(link: ProtectedLink): boolean
  /** Called with each check of the decision, in order. Only explanations set it, so that a redirect allocates nothing for it. */
  note?: (check: Check) => void
}

const DESTINATION: RouteDecision = { kind: 'destination' }
export const DISABLED: RouteDecision = { kind: 'disabled' }
export const PASSWORD: RouteDecision = { kind: 'password' }
export const BLOCKED: RouteDecision = { kind: 'blocked' }
export const LOOP: RouteDecision = { kind: 'loop' }

/** Pure. It runs on every visit of a plain link and allocates nothing; what takes more is worked out when the route is read. */
export function decidePlain({ isActive, blockedBy }: LinkRoute): RouteDecision {
  if (blockedBy === 'operator') return BLOCKED
  if (!isActive) return DISABLED
  return blockedBy === 'loop' ? LOOP : DESTINATION
}
