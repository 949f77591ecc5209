import { CLICK_ROWS_MAX } from './imported-clicks-field.ts'
import { BULK_LINKS_MAX } from '../links/link-fields.ts'

// Links are imported in groups: each is one request, and one transaction.

/** Below what a body may have, with room for what is around the links. */
export const GROUP_BYTES_MAX = 900_000
/** Each takes a while to be hashed. */
const GROUP_PASSWORDS_MAX = 20

/** What a link takes of the room in its group. */
export type LinkCost = { bytes: number; passwords: number; clickRows: number }

export const NO_COST: LinkCost = { bytes: 0, passwords: 0, clickRows: 0 }

/** The links in their order, in groups that a request can have. */
export async function* groupsOf<Item>(
  items: AsyncIterable<Item>,
  costOf: (item: Item) => LinkCost,
): AsyncGenerator<Item[], undefined> {
  let group: Item[] = []
  let sum: LinkCost = NO_COST
  for await (const item of items) {
    const cost = costOf(item)
    const isFull =
      group.length === BULK_LINKS_MAX ||
      sum.bytes + cost.bytes > GROUP_BYTES_MAX ||
      sum.passwords + cost.passwords > GROUP_PASSWORDS_MAX ||
      sum.clickRows + cost.clickRows > CLICK_ROWS_MAX
    if (isFull && group.length > 0) {
      yield group
      group = []
      sum = NO_COST
    }
    group.push(item)
    sum = {
      bytes: sum.bytes + cost.bytes,
      passwords: sum.passwords + cost.passwords,
      clickRows: sum.clickRows + cost.clickRows,
    }
  }
  if (group.length > 0) yield group
  return undefined
}
