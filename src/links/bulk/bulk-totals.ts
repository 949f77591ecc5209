import { wholeText } from '../../runtime/number-text.ts'

// What the rules of all links in a request may have together: each link by itself is limited too, but 100 at their limits would
// keep other requests waiting. Far more than one link may have.

const TOTALS = {
  rules: { max: 1_000, what: 'rules' },
  values: { max: 10_000, what: 'values of conditions' },
  destinations: { max: 2_000, what: 'destinations in their rules' },
}

export const TOTALS_DESCRIPTION = `Together, the links may have at most ${wholeText(TOTALS.rules.max)} ${TOTALS.rules.what}, ${wholeText(TOTALS.values.max)} ${TOTALS.values.what} and ${wholeText(TOTALS.destinations.max)} ${TOTALS.destinations.what}.`

type RuleTotals = Record<keyof typeof TOTALS, number>
const NAMES = Object.keys(TOTALS) as (keyof typeof TOTALS)[]

/** What the rules of a request may have. */
export const RULE_TOTALS_MAX = Object.fromEntries(NAMES.map((name) => [name, TOTALS[name].max])) as RuleTotals

/** What the rules of the links have, as they were sent. */
export function ruleTotals(links: readonly unknown[]): RuleTotals {
  const rules = links.flatMap((link) => listOf(link, 'rules'))
  return {
    rules: rules.length,
    values: sum(rules, (rule) => sum(Object.values(fieldsOf(fieldsOf(rule).when)), valuesIn)),
    destinations: sum(rules, (rule) => Number('to' in fieldsOf(rule)) + listOf(rule, 'split').length),
  }
}

/** A sentence for each total that the links, as they were sent, are over. */
export function overTotals(links: readonly unknown[]): string[] {
  const counts = ruleTotals(links)
  return NAMES.filter((name) => counts[name] > TOTALS[name].max).map((name) => {
    const { max, what } = TOTALS[name]
    return `The links have ${wholeText(counts[name])} ${what}; a request may have at most ${wholeText(max)}.`
  })
}

/** Of a condition: `query` has them by their names. */
const valuesIn = (condition: unknown): number =>
  Array.isArray(condition) ? condition.length : Math.max(1, Object.keys(fieldsOf(condition)).length)

const fieldsOf = (sent: unknown): Record<string, unknown> =>
  typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {}

function listOf(sent: unknown, name: string): unknown[] {
  const list = fieldsOf(sent)[name]
  return Array.isArray(list) ? list : []
}

const sum = (items: readonly unknown[], of: (item: unknown) => number): number =>
  items.reduce<number>((total, item) => total + of(item), 0)
