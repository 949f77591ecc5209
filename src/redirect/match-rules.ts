import type { Condition, SplitPart, Rule, Rules } from '../links/rules/compile-rules.ts'
import { bestLanguage } from './accept-language.ts'
import type { RouteFacts } from './decide-route.ts'

/** Pure. Where the first rule whose conditions all hold leads; undefined if none does. */
export function matchRules(rules: Rules, linkId: number, facts: RouteFacts): SplitPart | undefined {
  const visit = new MatchedVisit(rules, facts)
  const rule = rules.list[indexOfFirst(rules.list, visit)]
  if (rule === undefined || rule.parts.length === 1) return rule?.parts[0]
  const part = drawPart(rule, shareOf([facts.visitor(), linkId, rule.number]))
  facts.note?.({ kind: 'drawn', part })
  return part
}

/** -1 if there is none. Plain loops, which run on visits and make no functions. */
function indexOfFirst(rules: readonly Rule[], visit: MatchedVisit): number {
  for (let index = 0; index < rules.length; index++) {
    const failed = firstFailed(rules[index]!.conditions, visit)
    visit.facts.note?.({ kind: 'rule', index, failed })
    if (failed === undefined) return index
  }
  return -1
}

function firstFailed(conditions: readonly Condition[], visit: MatchedVisit): Condition | undefined {
  for (const condition of conditions) if (!holds(condition, visit)) return condition
  return undefined
}

/** What several conditions may ask. Worked out once. */
class MatchedVisit {
  readonly facts: RouteFacts
  readonly #rules: Rules
  #language: string | undefined
  #parameters: URLSearchParams | undefined

  constructor(rules: Rules, facts: RouteFacts) {
    this.#rules = rules
    this.facts = facts
  }

  /** '' if none of the link's languages suits. */
  get language(): string {
    return (this.#language ??= bestLanguage(this.facts.languages(), this.#rules.languages) ?? '')
  }

  get parameters(): URLSearchParams {
    return (this.#parameters ??= new URLSearchParams(this.facts.query))
  }
}

function holds(condition: Condition, visit: MatchedVisit): boolean {
  const { facts } = visit
  switch (condition.kind) {
    case 'country':
      return condition.values.has(facts.country())
    case 'language':
      return condition.values.has(visit.language)
    case 'device':
    case 'os':
    case 'browser':
      return condition.values.has(facts.client()[condition.kind])
    case 'query':
      return (
        facts.query !== '' &&
        condition.wanted.every(([name, value]) => hasParameter(visit.parameters, name, value))
      )
    case 'between':
      return facts.nowUs() >= condition.fromUs && facts.nowUs() < condition.toUs
    case 'hours':
      return isWithin(condition, facts.nowUs())
  }
}

const hasParameter = (parameters: URLSearchParams, name: string, value: string | true): boolean =>
  value === true ? parameters.has(name) : parameters.getAll(name).includes(value)

/** Hours over midnight belong to the day on which they begin. */
function isWithin({ days, from, to, clock }: Extract<Condition, { kind: 'hours' }>, nowUs: number): boolean {
  const { day, minute } = clock(nowUs)
  if (from < to) return days.has(day) && minute >= from && minute < to
  return (days.has(day) && minute >= from) || (days.has((day + 6) % 7) && minute < to)
}

/** `share`: from 0 to below 1. */
const drawPart = ({ parts, weights }: Rule, share: number): SplitPart =>
  parts.find(({ below }) => share * weights < below)!

/** The same numbers have the same share; all shares are equally likely. Numbers are below 2^53. */
function shareOf(numbers: readonly number[]): number {
  let hash = 0
  for (const number of numbers) hash = mix(mix(hash ^ number) ^ Math.floor(number / 2 ** 32))
  return (hash >>> 0) / 2 ** 32
}

/** The end of MurmurHash3: each bit of a 32-bit number changes half of the bits of the result. */
function mix(number: number): number {
  let hash = (number + 0x9e3779b9) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
