import type { AnalyticsView, OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { percent } from '../format.ts'
import { analyticsStrings as texts } from './analytics-strings.ts'

export type Rules = NonNullable<OwnLink['rules']>
type Part = NonNullable<Rules[number]['split']>[number]

const RULE_ID = /^[0-9a-f]{8}$/
const FIRST_LETTER = 97

const targetOf = (url: string) => url.replace(/^https?:\/\/(?:www\.)?/, '')

/** "Rule 2/b → example.com/new", by the ID under which clicks are counted. Rules that were removed have clicks too. */
export function variantName(variant: string, rules: Rules | undefined): string {
  if (rules === undefined) return variant
  if (variant === 'fallback') return texts.fallback
  for (const [at, { id, to, split = [] }] of rules.entries()) {
    const rule = texts.rule(String(at + 1))
    if (id === variant && to !== undefined) return `${rule} → ${targetOf(to)}`
    const place = split.findIndex((part) => part.id === variant)
    if (place !== -1)
      return `${rule}/${String.fromCharCode(FIRST_LETTER + place)} → ${targetOf(split[place]!.to)}`
  }
  return RULE_ID.test(variant) ? texts.goneRule : variant
}

/** "49.8% of 50%, by chance": the share of its split that a part got, the share that it should get, and what the difference means. */
export function shareOfSplit(rules: Rules, variant: string, analytics: AnalyticsView): string | undefined {
  const split = rules.find((rule) => rule.split?.some(({ id }) => id === variant))?.split
  if (split === undefined) return undefined
  const clicksOf = ({ id }: Part) => analytics.variants.find((row) => row.variant === id)?.clicks ?? 0
  const sum = (valueOf: (part: Part) => number) => split.reduce((total, part) => total + valueOf(part), 0)
  const part = split.find(({ id }) => id === variant)!
  const all = sum(clicksOf)
  if (all === 0) return undefined
  const share = part.weight / sum(({ weight }) => weight)
  const reachedText = percent((100 * clicksOf(part)) / all)
  const wantedText = percent(100 * share)
  if (reachedText === wantedText) return texts.reached(reachedText, wantedText)
  // A visitor keeps a part for the day, so that chance chooses for visitors and not for clicks.
  const clicksOfVisitor = Math.max(1, analytics.total_clicks / Math.max(1, analytics.unique_visitors))
  const isByChance = mayBeChance(clicksOf(part) / clicksOfVisitor, all / clicksOfVisitor, share)
  return texts.reached(reachedText, wantedText, isByChance)
}

/** Chance alone differs by more than this once in a thousand times. */
const DEVIATIONS_MAX = 3.29

/** Whether drawing `all` times with this probability may well give `reached`. */
export const mayBeChance = (reached: number, all: number, probability: number): boolean =>
  Math.abs(reached - all * probability) <= DEVIATIONS_MAX * Math.sqrt(all * probability * (1 - probability))
