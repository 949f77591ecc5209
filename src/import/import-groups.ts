import { CLICK_ROWS_MAX } from './imported-clicks-field.ts'
import { RULE_TOTALS_MAX } from '../links/bulk/bulk-totals.ts'
import { BULK_LINKS_MAX } from '../links/link-fields.ts'

// Links are imported in groups: each is one request, and one transaction.

/** Below what a body may have, with room for what is around the links. */
export const GROUP_BYTES_MAX = 900_000
/** Each takes a while to be hashed. */
const GROUP_PASSWORDS_MAX = 20

/** What a link takes of the room in its group. */
export type LinkCost = { bytes: number; passwords: number; clickRows: number } & typeof RULE_TOTALS_MAX

const GROUP_COST_MAX: LinkCost = {
  bytes: GROUP_BYTES_MAX,
  passwords: GROUP_PASSWORDS_MAX,
  clickRows: CLICK_ROWS_MAX,
  ...RULE_TOTALS_MAX,
}
const COSTS = Object.keys(GROUP_COST_MAX) as (keyof LinkCost)[]

export const NO_COST = Object.fromEntries(COSTS.map((name) => [name, 0])) as LinkCost

/** The links in their order, in groups that a request can have. */
export async function* groupsOf<Item>(
  items: AsyncIterable<Item>,
  costOf: (item: Item) => LinkCost,
): AsyncGenerator<Item[], undefined> {
  let group: Item[] = []
  let sum = NO_COST
  for await (const item of items) {
    const cost = costOf(item)
    const isFull =
      group.length === BULK_LINKS_MAX || COSTS.some((name) => sum[name] + cost[name] > GROUP_COST_MAX[name])
    if (isFull && group.length > 0) {
      yield group
      group = []
      sum = NO_COST
    }
    group.push(item)
    sum = added(sum, cost)
  }
  if (group.length > 0) yield group
  return undefined
}

const added = (sum: LinkCost, cost: LinkCost): LinkCost => {
  const both = { ...sum }
  for (const name of COSTS) both[name] += cost[name]
  return both
}
