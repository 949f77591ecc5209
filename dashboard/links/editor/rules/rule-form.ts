import type { LinkView } from '../../../../src/http/endpoints/browser-types.ts'
import { withScheme } from '../../added-scheme.tsx'
import { evenShares } from './split-shares.ts'
import type { FieldErrors } from '../../../api/request.ts'

type AnsweredRule = NonNullable<LinkView['rules']>[number]
/** A new rule has no id. */
type WithoutId<Identified> = Omit<Identified, 'id' | 'split'> & { id?: string | undefined }
/** As the API takes it. */
export type ApiRule = WithoutId<AnsweredRule> & {
  split?: WithoutId<NonNullable<AnsweredRule['split']>[number]>[] | undefined
}
export type Conditions = NonNullable<ApiRule['when']>
export type ConditionKind = keyof Conditions

/** `weight`: as in the API, so that it is only rewritten if somebody moves a share. */
export type Variant = { key: number; id?: string | undefined; to: string; weight: number }

/** `key` stays the same while the rule is edited and moved. `id`: under which clicks are counted for it; a new rule has none. */
export type RuleForm = {
  key: number
  id?: string | undefined
  when: Conditions
  to: string
  /** Null: the rule leads to `to`. */
  split: Variant[] | null
}

export const RULES_MAX = 20
export const VARIANTS = { min: 2, max: 10 }

let keys = 0
const newKey = () => ++keys

export const formOfRules = (rules: readonly ApiRule[] | null): RuleForm[] =>
  (rules ?? []).map(({ id, when = {}, to = '', split }) => ({
    key: newKey(),
    id,
    when,
    to,
    split: split?.map((part) => ({ key: newKey(), ...part })) ?? null,
  }))

export const newRule = (): RuleForm => ({ key: newKey(), when: {}, to: '', split: null })

export const copyOf = (rule: RuleForm): RuleForm => ({
  ...rule,
  key: newKey(),
  id: undefined,
  split: rule.split?.map((variant) => ({ ...variant, key: newKey(), id: undefined })) ?? null,
})

/** The URL becomes the first variant, and the other way round. */
export function withSplit(rule: RuleForm, isSplit: boolean): RuleForm {
  if (isSplit === (rule.split !== null)) return rule
  if (!isSplit) return { ...rule, to: rule.split![0]!.to, split: null }
  const [first = 50, second = 50] = evenShares(VARIANTS.min)
  const split = [
    { key: newKey(), to: rule.to, weight: first },
    { key: newKey(), to: '', weight: second },
  ]
  return { ...rule, to: '', split }
}

export const newVariant = (weight: number): Variant => ({ key: newKey(), to: '', weight })

/** As the API takes them. */
export const rulesInput = (rules: readonly RuleForm[]): ApiRule[] | null =>
  rules.length === 0
    ? null
    : rules.map(({ id, when, to, split }) => ({
        id,
        ...(Object.keys(when).length > 0 && { when }),
        ...(split === null
          ? { to: withScheme(to) }
          : { split: split.map(({ id, to, weight }) => ({ id, to: withScheme(to), weight })) }),
      }))

/** Moving a rule back, or typing a text again, is no change. */
export const areSameRules = (one: readonly RuleForm[], other: readonly RuleForm[]): boolean =>
  one === other || JSON.stringify(rulesInput(one)) === JSON.stringify(rulesInput(other))

/** All URLs that rules lead to go through a change. */
export const withUrls = (rules: readonly RuleForm[], change: (url: string) => string): RuleForm[] =>
  rules.map((rule) => ({
    ...rule,
    to: rule.split === null && rule.to.trim() !== '' ? change(rule.to) : rule.to,
    split:
      rule.split?.map((variant) =>
        variant.to.trim() === '' ? variant : { ...variant, to: change(variant.to) },
      ) ?? null,
  }))

/** As it begins. What must be chosen is empty, so that the server asks for it. */
export function emptyCondition(kind: ConditionKind): Conditions {
  if (kind === 'query') return { query: {} }
  if (kind === 'between') return { between: {} }
  if (kind !== 'hours') return { [kind]: [] }
  return {
    hours: {
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      from: '09:00',
      to: '18:00',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  }
}

/** Another kind at the same place. */
export const exchanged = (when: Conditions, kind: ConditionKind, next: ConditionKind): Conditions =>
  Object.fromEntries(
    Object.entries(when).flatMap(([each, value]) =>
      each === kind ? Object.entries(emptyCondition(next)) : [[each, value]],
    ),
  )

/** Errors by the part of a rule that they are about: `to`, `split`, `split.1`, `when.country`; '' is the rule itself. */
export type RuleErrors = Readonly<Record<string, string[]>>

const NONE: RuleErrors = {}

type RulesErrors = {
  /** About all rules together. */
  list: string[]
  ofRule: (rule: RuleForm) => RuleErrors
  count: number
}

/**
 * `sent`: the rules as they were when the server refused them. An error follows its rule when that is moved, and goes when
 * its part is edited.
 */
export function rulesErrors(
  fields: FieldErrors,
  sent: readonly RuleForm[] | undefined,
  now: readonly RuleForm[],
): RulesErrors {
  const list: string[] = []
  const byKey = new Map<number, Record<string, string[]>>()
  for (const [name, messages] of Object.entries(fields)) {
    const [field, index, ...path] = name.split('.')
    if (field !== 'rules' || sent === undefined) continue
    if (index === undefined) {
      if (sent === now) list.push(...messages)
      continue
    }
    const before = sent[Number(index)]
    const after = now.find(({ key }) => key === before?.key)
    const part = partOf(path)
    if (before === undefined || after === undefined || !isSame(before, after, part)) continue
    const ofRule = byKey.get(after.key) ?? {}
    byKey.set(after.key, ofRule)
    ;(ofRule[part] ??= []).push(...messages)
  }
  const counts = [...byKey.values()].map((errors) => Object.keys(errors).length)
  return {
    list,
    ofRule: ({ key }) => byKey.get(key) ?? NONE,
    count: counts.reduce((all, count) => all + count, list.length === 0 ? 0 : 1),
  }
}

/** `when.country.0` is about the countries, and `split.1.to` about the second variant. */
const partOf = ([field = '', second]: string[]): string =>
  (field === 'when' || field === 'split') && second !== undefined ? `${field}.${second}` : field

const isSame = (one: RuleForm, other: RuleForm, part: string) =>
  JSON.stringify(valueOf(one, part)) === JSON.stringify(valueOf(other, part))

function valueOf(rule: RuleForm, part: string): unknown {
  const [field, second] = part.split('.')
  if (field === 'when') return second === undefined ? rule.when : rule.when[second as keyof RuleForm['when']]
  if (field === 'split') return second === undefined ? rule.split : rule.split?.[Number(second)]?.to
  return field === 'to' ? rule.to : rule
}
