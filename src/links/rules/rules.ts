import type { RuleFields } from './rule-fields.ts'
import { type IdentifiedRule, withRuleIds } from './rule-ids.ts'

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
