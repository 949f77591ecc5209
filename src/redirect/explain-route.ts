import type { LinkRoute } from '../links/routes/link-route.ts'
import type { RouteOptions } from '../links/routes/route-options.ts'
import type { Part, Rule } from '../links/rules/compile-rules.ts'
import { isoMicroseconds } from '../runtime/clock.ts'
import { decideRoute } from './decide-options.ts'
import type { Redirect, RouteFacts } from './decide-route.ts'

export const OUTCOMES = [
  ...(['redirect', 'card', 'scheduled', 'expired', 'limit_reached'] as const),
  ...(['password', 'disabled', 'blocked', 'loop'] as const),
]
type Outcome = (typeof OUTCOMES)[number]

export type Explanation = {
  outcome: Outcome
  /** Null unless the visitor is redirected. */
  url: string | null
  /** From 1; null unless a rule leads there. */
  rule: number | null
  /** As the analytics call it; null unless the visitor is redirected. */
  variant: string | null
  why: string
}

/** What a visitor would meet, by the decision that a visit runs through. `opened`: how much of its limit is used. */
export function explainRoute(route: LinkRoute, facts: RouteFacts, opened: number): Explanation {
  const decision = decideRoute(route, facts)
  switch (decision.kind) {
    case 'destination':
      return redirected({ destination: route.destination, variant: '' }, route.options, facts)
    case 'redirect':
      return redirected(decision, route.options, facts)
    case 'password':
      return stopped('password', 'The link asks for its password first.')
    case 'limited':
      if (facts.client().isBot || facts.isPreview()) return stopped('card', WHY_NO_VISITOR)
      if (opened < route.options!.maxClicks!) return redirected(decision.to, route.options, facts)
      return decision.fallback === undefined
        ? stopped('limit_reached', `${WHY_LIMIT}.`)
        : redirected(decision.fallback, route.options, facts)
    case 'card':
      return stopped('card', 'Programs that make link previews get the card of the link.')
    case 'scheduled':
      return stopped('scheduled', `The link starts to redirect at ${isoMicroseconds(decision.startsAtUs)}.`)
    case 'expired':
      return stopped('expired', `The link stopped redirecting at ${isoMicroseconds(decision.expiresAtUs)}.`)
    case 'disabled':
      return stopped('disabled', 'The link is disabled.')
    case 'blocked':
      return stopped('blocked', 'The operator of this server has blocked the link, or where it leads.')
    case 'loop':
      return stopped('loop', 'The destination is a short URL of this server.')
  }
}

const WHY_NO_VISITOR = 'Crawlers and link previews are not told where a link with a limit leads.'
const WHY_LIMIT = 'The link has led as many visitors to its destination as it may'

const stopped = (outcome: Outcome, why: string): Explanation => ({
  outcome,
  url: null,
  rule: null,
  variant: null,
  why,
})

function redirected(
  { destination: url, variant }: Pick<Redirect, 'destination' | 'variant'>,
  options: RouteOptions | undefined,
  facts: RouteFacts,
): Explanation {
  const to = { outcome: 'redirect' as const, url, rule: null, variant: variant || 'destination' }
  if (variant === 'fallback') return { ...to, why: whyFallback(options!, facts) }
  const rules = options?.rules?.list ?? []
  const index = rules.findIndex(({ parts }) => parts.some((part) => part.variant === variant))
  const rule = rules[index]
  if (rule !== undefined) return { ...to, rule: index + 1, why: whyRule(index + 1, rule, variant) }
  const why =
    rules.length === 0
      ? 'The link has no rules, so every visitor is led to its destination.'
      : "The conditions of no rule hold, so the visitor is led to the link's destination."
  return { ...to, why }
}

function whyFallback({ startsAtUs, expiresAtUs }: RouteOptions, facts: RouteFacts): string {
  let why = WHY_LIMIT
  if (startsAtUs !== null && facts.nowUs() < startsAtUs)
    why = `The link starts to redirect at ${isoMicroseconds(startsAtUs)}`
  else if (expiresAtUs !== null && facts.nowUs() >= expiresAtUs)
    why = `The link stopped redirecting at ${isoMicroseconds(expiresAtUs)}`
  return `${why}, so the visitor is led to its fallback URL.`
}

function whyRule(number: number, { conditions, parts, weights }: Rule, variant: string): string {
  const why =
    conditions.length === 0
      ? `Rule ${number} is for every visitor whom no earlier rule leads elsewhere`
      : `Rule ${number} is the first whose conditions all hold`
  return parts.length === 1 ? `${why}.` : `${why}, and its split ${drawn(parts, variant, weights)}.`
}

/** A visitor keeps a part for the day; which one it is, only chance says. */
function drawn(parts: readonly Part[], variant: string, weights: number): string {
  const { weight } = parts.find((part) => part.variant === variant)!
  return `drew part ${variant.at(-1)} with a chance of ${weight} in ${weights}`
}
