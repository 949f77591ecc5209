import type { Tx } from '../../store/handles.ts'
import type { ReadClick } from '../facts/write-facts.ts'

/** Clicks from before the limit of their link was in force on every node, but counted only now, are openings that it has spent. */
export async function spendClicksBeforeLimits(tx: Tx, clicks: readonly ReadClick[]): Promise<void> {
  const earliestUs = clicks.reduce((earliest, { click }) => Math.min(earliest, click.clickedAtUs), Infinity)
  if (earliestUs === Infinity) return
  // Almost always none: limits that are newer than a click that is not counted yet.
  const limits = await tx
    .selectFrom('link_openings')
    .select(['link_id', 'limited_since'])
    .where('limited_since', '>', earliestUs)
    .orderBy('link_id')
    .execute()
  if (limits.length === 0) return
  const visits = clicks.flatMap(({ click, dimensions }) => (dimensions === undefined ? [] : click))
  const visitsOf = Map.groupBy(visits, ({ linkId }) => linkId)
  for (const { link_id: id, limited_since: sinceUs } of limits) {
    const { length } = (visitsOf.get(id) ?? []).filter(({ clickedAtUs }) => clickedAtUs < sinceUs!)
    if (length === 0) continue
    await tx
      .updateTable('link_openings')
      .set((eb) => ({ opened: eb('opened', '+', length) }))
      .where('link_id', '=', id)
      .execute()
  }
}
