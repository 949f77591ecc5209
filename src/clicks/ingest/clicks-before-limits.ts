import type { Tx } from '../../store/handles.ts'
import type { Click } from '../journal/click.ts'

/** Clicks from before the limit of their link was in force on every node, but counted only now, are openings that it has spent. */
export async function spendClicksBeforeLimits(tx: Tx, people: readonly Click[]): Promise<void> {
  if (people.length === 0) return
  const earliestUs = people.reduce((earliest, { clickedAtUs }) => Math.min(earliest, clickedAtUs), Infinity)
  // Almost always none: limits that are newer than a click that is not counted yet.
  const limits = await tx
    .selectFrom('link_openings')
    .select(['link_id', 'limited_since'])
    .where('limited_since', '>', earliestUs)
    .orderBy('link_id')
    .execute()
  if (limits.length === 0) return
  const clicksOf = Map.groupBy(people, ({ linkId }) => linkId)
  for (const { link_id: id, limited_since: sinceUs } of limits) {
    const { length } = (clicksOf.get(id) ?? []).filter(({ clickedAtUs }) => clickedAtUs < sinceUs!)
    if (length === 0) continue
    await tx
      .updateTable('link_openings')
      .set((eb) => ({ opened: eb('opened', '+', length) }))
      .where('link_id', '=', id)
      .execute()
  }
}
