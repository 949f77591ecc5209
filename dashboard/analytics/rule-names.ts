import type { AnalyticsView, OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { percent } from '../format.ts'
import { analyticsStrings as texts } from './analytics-strings.ts'

export type Rules = NonNullable<OwnLink['rules']>
type Part = NonNullable<Rules[number]['split']>[number]

const RULE_ID = /^[0-9a-f]{8}$/
const FIRST_LETTER = 97

const targetOf = (url: string) => url.replace(/^https?:\/\/(?:www\.)?/, '')

/** "Rule 2/b → example.com/new", by the ID under which clicks are counted. */
export function ruleNames(rules: Rules): Map<string, string> {
  const names = new Map([['fallback', texts.fallback]])
  rules.forEach(({ id, to, split }, at) => {
    const rule = texts.rule(String(at + 1))
    if (to !== undefined) names.set(id, `${rule} → ${targetOf(to)}`)
    split?.forEach((part, place) => {
      const letter = String.fromCharCode(FIRST_LETTER + place)
      names.set(part.id, `${rule}/${letter} → ${targetOf(part.to)}`)
    })
  })
  return names
}

/** Undefined for clicks of no rule. Rules that were removed have clicks too. */
export const nameOfVariant = (names: ReadonlyMap<string, string>, value: string): string | undefined =>
  names.get(value) ?? (RULE_ID.test(value) ? texts.goneRule : undefined)

/** "49.8% of 50%": the share of its split that a part got, and the share that it should get. */
export function shareOfSplit(rules: Rules, variant: string, { variants }: AnalyticsView): string | undefined {
  const split = rules.find((rule) => rule.split?.some(({ id }) => id === variant))?.split
  if (split === undefined) return undefined
  const clicksOf = ({ id }: Part) => variants.find((row) => row.variant === id)?.clicks ?? 0
  const sum = (valueOf: (part: Part) => number) => split.reduce((total, part) => total + valueOf(part), 0)
  const part = split.find(({ id }) => id === variant)!
  const all = sum(clicksOf)
  if (all === 0) return undefined
  return texts.reached(
    percent((100 * clicksOf(part)) / all),
    percent((100 * part.weight) / sum(({ weight }) => weight)),
  )
}
