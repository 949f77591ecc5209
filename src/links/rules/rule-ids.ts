import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RuleFields } from './rule-fields.ts'

type Part = NonNullable<RuleFields['split']>[number]
/** Clicks are counted under the id of the rule, or of the part of its split, that led the visitor. */
export type IdentifiedRule = Omit<RuleFields, 'id' | 'split'> & {
  id: string
  split?: (Omit<Part, 'id'> & { id: string })[]
}

type WithId = { id?: string | undefined }

export const RULE_ID = /^[0-9a-f]{8}$/
const ID_LENGTH = 8

/** All ids that rules and parts of splits have. */
export const ruleIdsIn = (rules: readonly (WithId & { split?: readonly WithId[] | undefined })[]): string[] =>
  rules
    .flatMap(({ id, split = [] }) => [id, ...split.map((part) => part.id)])
    .filter((id) => id !== undefined)

/** What has no id gets that of its contents, so equal rules are equal texts. */
export function withRuleIds(rules: readonly RuleFields[]): IdentifiedRule[] {
  const ids = new Set(ruleIdsIn(rules))
  const newId = (contents: unknown): string => {
    const id = createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, ID_LENGTH)
    if (ids.has(id)) return newId([id])
    ids.add(id)
    return id
  }
  return rules.map((rule) => {
    const { id = newId(contentsOf(rule)), split, ...others } = rule
    if (split === undefined) return { id, ...others }
    const parts = split.map(({ id: partId, ...part }) => ({ id: partId ?? newId([id, part.to]), ...part }))
    return { id, ...others, split: parts }
  })
}

/** A rule that is sent without its id keeps the one it had if it does the same as before; weights may differ. */
export function keepRuleIds(
  rules: readonly RuleFields[],
  before: readonly IdentifiedRule[],
): IdentifiedRule[] {
  const ids = new Set(ruleIdsIn(rules))
  const withIds = rules.map((rule) => {
    const isSame = (old: IdentifiedRule) =>
      rule.id === undefined
        ? !ids.has(old.id) && isDeepStrictEqual(contentsOf(old), contentsOf(rule))
        : old.id === rule.id
    const old = before.find(isSame)
    if (old === undefined) return rule
    ids.add(old.id)
    const split = rule.split?.map((part) => {
      const id = part.id ?? old.split?.find(({ id, to }) => to === part.to && !ids.has(id))?.id
      if (id !== undefined) ids.add(id)
      return { ...part, ...(id !== undefined && { id }) }
    })
    return { ...rule, id: old.id, ...(split && { split }) }
  })
  return withRuleIds(withIds)
}

const contentsOf = ({ when = {}, to, split }: RuleFields) => [
  when,
  to ?? split?.map((part) => part.to).toSorted(),
]

/** Null if there are none, or none that can be read. */
export function parseRules(text: string | null): IdentifiedRule[] | null {
  if (text === null) return null
  try {
    const rules: unknown = JSON.parse(text)
    return Array.isArray(rules) && rules.length > 0 ? withRuleIds(rules as RuleFields[]) : null
  } catch {
    return null
  }
}
