import type { CurrentDb, DurableDb } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { nextReportUs, REPORT_FREQUENCIES, type ReportPeriod, type ReportSchedule } from './report-period.ts'
import type { ReportReader } from './unsubscribe.ts'

/** Somebody whose report is due. `reportedTo` and `dueAtUs`: see the table. */
export type DueReader = ReportReader &
  ReportSchedule & {
    email: string
    name: string
    workspace: string
    /** When the workspace was created. */
    sinceUs: number
    reportedTo: number
    dueAtUs: number
    secret: string
  }

/** Who may see the figures of the workspace, as a session decides it; of them, who has waited the longest. */
export async function findDueReader(db: CurrentDb, nowUs: number): Promise<DueReader | undefined> {
  const row = await db
    .selectFrom('email_reports')
    .innerJoin('members', (join) =>
      join
        .onRef('members.workspace_id', '=', 'email_reports.workspace_id')
        .onRef('members.user_id', '=', 'email_reports.user_id'),
    )
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .selectAll('email_reports')
    .select(['users.email', 'users.name', 'workspaces.name as workspace', 'workspaces.created_at'])
    .where('email_reports.due_at', '<=', nowUs)
    .where('email_reports.frequency', 'in', REPORT_FREQUENCIES)
    .where('users.email_verified_at', 'is not', null)
    .where('users.closed_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
    .where('workspaces.suspended_at', 'is', null)
    .where((eb) =>
      eb.or([eb('workspaces.requires_second_factor', '=', 0), eb('users.totp_enabled_at', 'is not', null)]),
    )
    .orderBy('email_reports.due_at')
    .orderBy('email_reports.workspace_id')
    .orderBy('email_reports.user_id')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    workspaceId: row.workspace_id,
    userId: row.user_id,
    frequency: row.frequency === 'weekly' ? 'weekly' : 'monthly',
    timezone: row.timezone,
    email: row.email,
    name: row.name,
    workspace: row.workspace,
    sinceUs: row.created_at,
    reportedTo: row.reported_to,
    dueAtUs: row.due_at ?? nowUs,
    secret: row.secret,
  }
}

/** False if the report is not due at that time any more: another node has it, or the reader has made another choice. */
export async function moveDue(
  db: DurableDb,
  { workspaceId, userId, dueAtUs }: DueReader,
  toUs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('email_reports')
    .set({ due_at: toUs })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('due_at', '=', dueAtUs)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The period needs no report any more. */
export async function finishPeriod(db: DurableDb, reader: DueReader, { to }: ReportPeriod): Promise<void> {
  const { workspaceId, userId, dueAtUs } = reader
  await transact(db, async (tx) => {
    const own = tx
      .updateTable('email_reports')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
    await own.set({ reported_to: to }).where('reported_to', '<', to).execute()
    // Another choice of the reader has its own time.
    await own
      .set({ due_at: nextReportUs(reader, to) })
      .where('due_at', '=', dueAtUs)
      .execute()
  })
}
