import { type Actor, operatorIn } from '../../access/caller.ts'
import { recordChange } from '../../audit/record-change.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type Clock, DAY_US } from '../../runtime/clock.ts'
import { freeToRemove } from '../../store/engine-sql.ts'
import type { CurrentDb, DurableDb, RelaxedDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'

/** The newest open report about a link. Refused if there is none. */
export async function openReportOf(db: CurrentDb, linkId: number) {
  const report = await db
    .selectFrom('link_reports')
    .select(['workspace_id as workspaceId', 'original_url as reportedUrl', 'short_url as shortUrl'])
    .where('link_id', '=', linkId)
    .where('closed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (report === undefined) throw new Refusal('report_not_found', 'There is no open report about this link.')
  return report
}

/** Closes all open reports about a link. Returns their number, with those that were only counted. */
export function closeReports(
  { db, clock }: { db: DurableDb; clock: Clock },
  by: Actor,
  linkId: number,
): Promise<number> {
  const nowUs = clock.nowUs()
  return transact(db, async (tx) => {
    const closed = await tx
      .updateTable('link_reports')
      .set({ closed_at: nowUs, closed_by: by.userId })
      .where('link_id', '=', linkId)
      .where('closed_at', 'is', null)
      .returning(['workspace_id as workspaceId', 'short_url as target', 'more'])
      .execute()
    if (closed.length === 0) return 0
    const { workspaceId, target } = closed[0]!
    const reports = closed.reduce((sum, { more }) => sum + 1 + more, 0)
    const changes = { reports: { from: reports, to: 0 } }
    const change = { nowUs, action: 'link.reports_closed', target, targetId: linkId, changes } as const
    await recordChange(tx, operatorIn(workspaceId, by), change)
    return reports
  })
}

/** Opens what was closed last about a link, as it was. Returns how many reports these are, with those that were only counted. */
export function reopenReports(
  { db, clock }: { db: DurableDb; clock: Clock },
  by: Actor,
  linkId: number,
): Promise<number> {
  const nowUs = clock.nowUs()
  return transact(db, async (tx) => {
    const openReports = await tx
      .updateTable('link_reports')
      .set({ closed_at: null, closed_by: null })
      .where('link_id', '=', linkId)
      .where('closed_at', '=', (eb) =>
        eb
          .selectFrom('link_reports as closed')
          .select((each) => each.fn.max('closed.closed_at').as('last'))
          .where('closed.link_id', '=', linkId),
      )
      .returning(['workspace_id as workspaceId', 'short_url as target', 'more'])
      .execute()
    if (openReports.length === 0)
      throw new Refusal('report_not_found', 'There is no closed report about this link.')
    const { workspaceId, target } = openReports[0]!
    const reports = openReports.reduce((sum, { more }) => sum + 1 + more, 0)
    const changes = { reports: { from: 0, to: reports } }
    const change = { nowUs, action: 'link.reports_reopened', target, targetId: linkId, changes } as const
    await recordChange(tx, operatorIn(workspaceId, by), change)
    return reports
  })
}

const CLOSED_DAYS = 90
/** Rows per transaction, so that nobody waits long for a step. */
const ROWS_MAX = 500

/** Removes the reports that were closed long ago. */
export async function forgetClosedReports(db: RelaxedDb, nowUs: number): Promise<void> {
  while (await forgetSome(db, nowUs - CLOSED_DAYS * DAY_US));
}

function forgetSome(db: RelaxedDb, untilUs: number): Promise<boolean> {
  return transact(db, async (tx) => {
    const old = tx.selectFrom('link_reports').select('id').where('closed_at', '<=', untilUs).limit(ROWS_MAX)
    const ids = (await freeToRemove(tx, old).execute()).map(({ id }) => id)
    if (ids.length === 0) return false
    await tx.deleteFrom('link_reports').where('id', 'in', ids).execute()
    return ids.length === ROWS_MAX
  })
}
