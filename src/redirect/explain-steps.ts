import type { LinkRoute } from '../links/routes/link-route.ts'
import type { RouteOptions } from '../links/routes/route-options.ts'
import type { SplitPart, Rule, Rules } from '../links/rules/compile-rules.ts'
import { isoMicroseconds } from '../runtime/clock.ts'
import { conditionText, visitorText } from './condition-text.ts'
import { ownFallback } from './decide-options.ts'
import { decidePlain, type RouteDecision, type RouteFacts } from './decide-route.ts'
import type { Check } from './decision-check.ts'
import { wholeText } from '../runtime/number-text.ts'

export const CHECKS = [
  ...(['link', 'password', 'rule', 'split', 'destination'] as const),
  ...(['preview', 'limit', 'fallback', 'count', 'outcome'] as const),
]
/** `bot_click`: beside the clicks of visitors. */
export const COUNTS_AS = ['click', 'bot_click', 'nothing'] as const
export type CountsAs = (typeof COUNTS_AS)[number]
export const RESULTS = ['passed', 'failed', 'not_checked'] as const

/** One reason, in the order of the decision. */
export type Step = {
  check: (typeof CHECKS)[number]
  result: (typeof RESULTS)[number]
  /** From 1; null if it is not about one rule. */
  rule: number | null
  /** The kind of the condition for which the rule failed. */
  condition: string | null
  text: string
  detail: string | null
}

/** What the decision has looked at, and what it came to. */
export type Decided = {
  route: LinkRoute
  facts: RouteFacts
  checks: readonly Check[]
  decision: RouteDecision
  opened: number
}

export function decisionSteps(decided: Decided): Step[] {
  return [
    linkStep(decided),
    ...decided.checks.flatMap((check) => checkSteps(check, decided)),
    ...skippedRules(decided),
    ...lastSteps(decided),
  ]
}

type NewStep = (check: Step['check'], text: string, detail?: string) => Step

const stepOf =
  (result: Step['result']): NewStep =>
  (check, text, detail) => ({ check, result, rule: null, condition: null, text, detail: detail ?? null })

const passed = stepOf('passed')
const failed = stepOf('failed')
const notChecked = stepOf('not_checked')

function linkStep({ route, checks, decision }: Decided): Step {
  // Also a destination to which a rule leads may be blocked.
  if (decidePlain(route).kind === 'blocked')
    return failed('link', 'The operator of this server has blocked the link.')
  if (decision.kind === 'disabled') return failed('link', 'The link is disabled.')
  const closed = checks.find((check) => check.kind === 'closed')
  if (closed !== undefined && closed.by.kind !== 'limit_reached') {
    return closed.by.kind === 'scheduled'
      ? failed('link', 'The link has not started.', `It starts ${isoMicroseconds(closed.by.startsAtUs)}.`)
      : failed('link', 'The link has ended.', `It ended ${isoMicroseconds(closed.by.expiresAtUs)}.`)
  }
  return passed('link', 'The link is active.', scheduleText(route.options))
}

function scheduleText(options: RouteOptions | undefined): string | undefined {
  const { startsAtUs = null, expiresAtUs = null } = options ?? {}
  const parts = [
    startsAtUs !== null && `It started ${isoMicroseconds(startsAtUs)}.`,
    expiresAtUs !== null && `It ends ${isoMicroseconds(expiresAtUs)}.`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : parts.join(' ')
}

function checkSteps(check: Check, { route: { options }, facts, opened }: Decided): Step[] {
  switch (check.kind) {
    case 'closed':
      return fallbackSteps(options!, check)
    case 'limit':
      return [limitStep(check.isReached, options!.maxClicks!, opened)]
    case 'password':
      return [
        check.isKnown
          ? passed('password', 'The visitor has entered the password.')
          : failed('password', 'The link asks for its password.'),
      ]
    case 'rule':
      return [ruleStep(check, options!.rules!, facts)]
    case 'drawn':
      return [splitStep(check.part, options!.rules!)]
  }
}

function fallbackSteps(options: RouteOptions, { fallback }: Extract<Check, { kind: 'closed' }>): Step[] {
  if (ownFallback(options) !== undefined) return [passed('fallback', 'A fallback URL is set.')]
  const text = options.fallback === null ? 'No fallback URL is set.' : 'The fallback URL is blocked.'
  if (fallback === undefined) return [failed('fallback', text, 'The visitor sees a notice.')]
  return [failed('fallback', text), passed('fallback', 'The domain has a page for expired links.')]
}

function ruleStep(
  { index, failed: condition }: Extract<Check, { kind: 'rule' }>,
  rules: Rules,
  facts: RouteFacts,
): Step {
  const number = index + 1
  if (condition === undefined)
    return {
      ...passed('rule', `Rule ${number} matches.`, conditionsText(rules.list[index]!)),
      rule: number,
    }
  const detail = `${conditionText(condition)}: ${visitorText(condition, facts, rules.languages)}.`
  return {
    ...failed('rule', `Rule ${number} does not match.`, detail),
    rule: number,
    condition: condition.kind,
  }
}

const conditionsText = ({ conditions }: Rule) =>
  conditions.length === 0 ? 'Applies to everyone.' : `${conditions.map(conditionText).join('; ')}.`

/** A visitor keeps a part for the day; which one it is, only chance says. */
function splitStep(part: SplitPart, { list }: Rules): Step {
  const index = list.findIndex(({ parts }) => parts.includes(part))
  const percent = Math.round((part.weight / list[index]!.weights) * 100)
  const text = `Variant ${part.name.at(-1)!.toUpperCase()} was picked (${percent}% chance).`
  return { ...passed('split', text), rule: index + 1 }
}

/** Those after the one that matched; or all, in one step, where the decision does not get to them. */
function skippedRules({ route: { options }, checks }: Decided): Step[] {
  const list = options?.rules?.list ?? []
  const count = checks.filter(({ kind }) => kind === 'rule').length
  if (list.length === 0) return []
  if (count === 0) {
    const asks = checks.some((check) => check.kind === 'password')
    const detail = asks ? 'They apply after the password.' : 'They apply only while the link is available.'
    return [notChecked('rule', 'Redirect rules are not checked.', detail)]
  }
  return list.slice(count).map((_, at) => {
    const rule = count + at + 1
    return {
      ...notChecked('rule', `Rule ${rule} is not checked.`, 'An earlier rule matched.'),
      rule,
    }
  })
}

function lastSteps({ route, facts, checks, decision }: Decided): Step[] {
  const isMatched = checks.some((check) => check.kind === 'rule' && check.failed === undefined)
  const isOwn = !isMatched && !checks.some(({ kind }) => kind === 'closed')
  const destination = isOwn ? [destinationStep(route)] : []
  switch (decision.kind) {
    case 'destination':
    case 'redirect':
      return destination
    case 'loop':
      return [failed('destination', 'The destination is a short URL of this server.')]
    case 'blocked':
      return decidePlain(route).kind === 'blocked'
        ? []
        : [failed('destination', 'The operator of this server has blocked where this leads.')]
    case 'card':
      return [failed('preview', 'The visitor is a program that makes link previews.', CARD)]
    case 'limited':
      return isProgram(facts) ? [failed('preview', NO_VISITOR, PROGRAMS)] : destination
    default:
      return []
  }
}

const CARD = 'It gets the card of the link.'

function destinationStep({ options }: LinkRoute): Step {
  return options?.rules
    ? passed('destination', 'No rule matches.', 'The visitor goes to the destination.')
    : passed('destination', 'The link has no rules.', 'Every visitor goes to its destination.')
}

/** A program, and not a visitor: it neither spends an opening nor learns the destination of a link with a limit. */
export const isProgram = (facts: RouteFacts): boolean => facts.client().isBot || facts.isPreview()

function limitStep(isReached: boolean, max: number, opened: number): Step {
  const usage = `${wholeText(opened)} of ${wholeText(max)} clicks are used.`
  return isReached
    ? failed('limit', 'The click limit is reached.', usage)
    : passed('limit', 'The click limit is not reached.', usage)
}

export function countStep(countsAs: CountsAs): Step {
  switch (countsAs) {
    case 'click':
      return passed('count', 'It counts as a click.')
    case 'bot_click':
      return failed('count', 'It counts as a bot click.', BOTS)
    case 'nothing':
      return failed('count', 'It is not counted.', 'Only visitors who are redirected are counted.')
  }
}

/** A redirect that the workspace does not count. */
export const EXCLUDED = failed(
  'count',
  'It is not counted.',
  'This browser or network is excluded, and uses up no click limit.',
)

const BOTS = 'A crawler or link preview is counted beside the clicks of visitors.'
const NO_VISITOR = 'The visitor is a crawler or makes link previews.'
const PROGRAMS = 'They do not learn where a link with a limit leads.'
