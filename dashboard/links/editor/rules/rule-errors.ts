import type { FieldErrors } from '../../../request.ts'
import type { RuleForm } from './rule-form.ts'

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
