import type { RuleFields } from './rule-fields.ts'

/** As stored; null if there are none, or none that can be read. */
export function parseRules(text: string | null): RuleFields[] | null {
  if (text === null) return null
  try {
    const rules: unknown = JSON.parse(text)
    return Array.isArray(rules) && rules.length > 0 ? (rules as RuleFields[]) : null
  } catch {
    return null
  }
}
