import { lockedToChange } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'
import { subtractWorkspaceHours } from '../counters/subtract-hours.ts'
import { queryTable } from '../queries/query-table.ts'
import { type LinkCounters, linkClicksQuery, linkCounters, type LinkOfWorkspace } from './link-counters.ts'
import { forgetMoved, isStillThere, type MovedClicks } from './moved-clicks.ts'

export type DeletedClicks = { clicks: number; bots: number }

/**
 * Deletes the clicks of a link that are counted: its facts, and what the kept counters have of them. Those that are in the journal and not
 * counted yet are counted later. `moved` was read before the transaction; undefined, with nothing changed, if it is no longer so.
 */
export async function deleteLinkClicks(
  tx: Tx,
  link: LinkOfWorkspace,
  moved: MovedClicks,
): Promise<DeletedClicks | undefined> {
  // In the order in which jobs that move or merge clicks and counting lock them.
  await lockedToChange(tx, tx.selectFrom('click_progress').select('merged_to')).execute()
  if (!(await isStillThere(tx, moved.place))) return undefined
  // Until the transaction ends, nobody counts clicks of this link.
  const total = tx.selectFrom('link_totals').select(['clicks', 'bots']).where('link_id', '=', link.linkId)
  const { clicks, bots } = (await lockedToChange(tx, total).executeTakeFirst()) ?? { clicks: 0, bots: 0 }
  if (clicks + bots === 0) return { clicks: 0, bots: 0 }
  const open = await queryTable(tx, linkClicksQuery(link))
  const counters = linkCounters(link.workspaceId, [open, moved.groups])
  if (counters.clicks !== clicks || counters.bots !== bots) return undefined
  await tx.deleteFrom('clicks').where('link_id', '=', link.linkId).execute()
  await forgetMoved(tx, link.linkId, moved)
  await subtract(tx, link, counters)
  return { clicks, bots }
}

async function subtract(
  tx: Tx,
  { workspaceId, linkId }: LinkOfWorkspace,
  { clicks, visitors, bots, hours }: LinkCounters,
): Promise<void> {
  await tx
    .updateTable('link_totals')
    .set((eb) => ({
      clicks: 0,
      visitors: 0,
      bots: 0,
      last_clicked_at: null,
      deleted: eb('deleted', '+', clicks + bots),
    }))
    .where('link_id', '=', linkId)
    .execute()
  // Locked before the latest click is looked for: another node may be counting a later one.
  await tx
    .updateTable('workspace_totals')
    .set((eb) => ({
      clicks: eb('clicks', '-', clicks),
      visitors: eb('visitors', '-', visitors),
      bots: eb('bots', '-', bots),
    }))
    .where('workspace_id', '=', workspaceId)
    .execute()
  const { at } = await tx
    .selectFrom('link_totals')
    .select((eb) => eb.fn.max<number | null>('last_clicked_at').as('at'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('workspace_totals')
    .set({ last_clicked_at: at })
    .where('workspace_id', '=', workspaceId)
    .execute()
  await subtractWorkspaceHours(tx, hours)
}
