import type { LinkRoute } from '../links/routes/link-route.ts'
import type { SplitPart, Rule } from '../links/rules/compile-rules.ts'
import { isoMicroseconds } from '../runtime/clock.ts'
import { decideRoute, ownFallback } from './decide-options.ts'
import type { Redirect, RouteFacts } from './decide-route.ts'
import type { Check, ClosedBy } from './decision-check.ts'
import {
  type CountsAs,
  countStep,
  EXCLUDED,
  type Decided,
  decisionSteps,
  isProgram,
  type Step,
} from './explain-steps.ts'

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
  /** `destination`, `fallback` (of the link or of its domain), or the rule and part by their place; null unless the visitor is redirected. */
  variant: string | null
  counts_as: CountsAs
  /** The last of the steps. */
  why: string
  steps: Step[]
}

/** `opened`: how much of the limit is used, as the facts have it. `isOwnTraffic`: the workspace does not count the visitor. */
export type ExplainedState = { opened: number; isOwnTraffic?: boolean }

/** What a visitor would meet, by the decision that a visit runs through. */
export function explainRoute(
  route: LinkRoute,
  facts: RouteFacts,
  { opened, isOwnTraffic = false }: ExplainedState,
): Explanation {
  const checks: Check[] = []
  facts.note = (check) => void checks.push(check)
  const decision = decideRoute(route, facts)
  const decided = { route, facts, checks, decision, opened }
  const answer = answerOf(decided)
  const result = answer.outcome === 'redirect' ? 'passed' : 'failed'
  const { rule, why: text } = answer
  const last: Step = { check: 'outcome', result, rule, condition: null, text, detail: null }
  const countsAs = isOwnTraffic ? 'nothing' : countsAsOf(answer, facts)
  const isExcluded = isOwnTraffic && answer.outcome === 'redirect'
  const count = isExcluded ? EXCLUDED : countStep(countsAs)
  const steps = [...decisionSteps(decided), count, last]
  return { ...answer, counts_as: countsAs, steps }
}

type Answer = Omit<Explanation, 'steps' | 'counts_as'>

/** Every redirect is journaled, and ingestion takes those for bots whose User-Agent reads so. */
function countsAsOf({ outcome }: Answer, facts: RouteFacts): CountsAs {
  if (outcome !== 'redirect') return 'nothing'
  return facts.client().isBot ? 'bot_click' : 'click'
}

function answerOf(decided: Decided): Answer {
  const { route, facts, decision } = decided
  switch (decision.kind) {
    case 'destination':
      return redirected({ destination: route.destination, variant: '' }, decided)
    case 'redirect':
      return redirected(decision, decided)
    case 'password':
      return stopped('password', 'The link asks for its password first.')
    case 'limited':
      return isProgram(facts) ? stopped('card', WHY_NO_VISITOR) : redirected(decision.to, decided)
    case 'card':
      return stopped('card', 'Programs that make link previews get the card of the link.')
    case 'scheduled':
    case 'expired':
    case 'limit_reached':
      return stopped(decision.kind, `${whyClosed(decision)}.`)
    case 'disabled':
      return stopped('disabled', 'The link is disabled.')
    case 'blocked':
      return stopped('blocked', 'The operator of this server has blocked the link, or where it leads.')
    case 'loop':
      return stopped('loop', 'The destination is a short URL of this server.')
  }
}

const WHY_NO_VISITOR = 'Crawlers and link previews do not learn where a link with a limit leads.'

function whyClosed(by: ClosedBy): string {
  if (by.kind === 'limit_reached') return 'The link has led as many visitors to its destination as it may'
  return by.kind === 'scheduled'
    ? `The link starts to redirect at ${isoMicroseconds(by.startsAtUs)}`
    : `The link stopped redirecting at ${isoMicroseconds(by.expiresAtUs)}`
}

const stopped = (outcome: Outcome, why: string): Answer => ({
  outcome,
  url: null,
  rule: null,
  variant: null,
  why,
})

function redirected(
  { destination: url, variant }: Pick<Redirect, 'destination' | 'variant'>,
  { route: { options }, checks }: Decided,
): Answer {
  const to = { outcome: 'redirect' as const, url, rule: null, variant: variant || 'destination' }
  const closed = checks.find((check) => check.kind === 'closed')
  if (closed !== undefined) {
    const hasOwn = ownFallback(options!) !== undefined
    const where = hasOwn ? 'its fallback URL' : "its domain's page for expired links"
    return { ...to, why: `${whyClosed(closed.by)}, so the visitor is led to ${where}.` }
  }
  const match = checks.find((check) => check.kind === 'rule' && check.failed === undefined)
  if (match?.kind === 'rule') {
    const number = match.index + 1
    const rule = options!.rules!.list[match.index]!
    const part = rule.parts.find((each) => each.variant === variant)!
    return { ...to, variant: part.name, rule: number, why: whyRule(number, rule, part) }
  }
  const why = options?.rules
    ? "The conditions of no rule hold, so the visitor is led to the link's destination."
    : 'The link has no rules, so every visitor is led to its destination.'
  return { ...to, why }
}

function whyRule(number: number, { conditions, parts, weights }: Rule, part: SplitPart): string {
  const why =
    conditions.length === 0
      ? `Rule ${number} is for every visitor whom no earlier rule leads elsewhere`
      : `Rule ${number} is the first whose conditions all hold`
  return parts.length === 1 ? `${why}.` : `${why}, and its split ${drawn(part, weights)}.`
}

/** A visitor keeps a part for the day; which one it is, only chance says. */
const drawn = ({ name, weight }: SplitPart, weights: number): string =>
  `drew part ${name.at(-1)} with a chance of ${weight} in ${weights}`
