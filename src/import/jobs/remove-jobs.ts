import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb, RelaxedDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { jobConflict, lockJob } from './find-job.ts'
import { expiredSinceUs, isRunning, REMOVED } from './import-job.ts'

/** Rows per statement, so that nobody who writes waits longer than some hundredths of a second. A part has up to 900 KB. */
const STEPS = { import_parts: 4, import_groups: 4, import_items: 500 } as const
type JobRows = keyof typeof STEPS

/** It is gone at once, and what it has is removed by removeJobs. */
export function removeJob(
  { db, clock }: { db: DurableDb; clock: Pick<Clock, 'nowUs'> },
  caller: Caller,
  jobId: number,
): Promise<void> {
  return transact(db, async (tx) => {
    const { state, importId } = await lockJob(tx, caller, jobId)
    if (isRunning(state)) throw jobConflict('The import runs. Stop it first.')
    const row = tx.updateTable('import_jobs').where('id', '=', jobId)
    await row.set({ state: REMOVED, source_key: null }).execute()
    if (importId === undefined) return
    const open = tx.updateTable('imports').set({ ended_at: clock.nowUs() })
    await open.where('id', '=', importId).where('ended_at', 'is', null).execute()
  })
}

type RemovalDeps = { db: RelaxedDb; clock: Pick<Clock, 'nowUs'>; isStopping(): boolean }

/** Removes jobs that were deleted or have expired, and the files of those that are done. */
export async function removeJobs({ db, clock, isStopping }: RemovalDeps): Promise<void> {
  const since = expiredSinceUs(clock.nowUs())
  const rows = await db
    .selectFrom('import_jobs')
    .select(['id', 'import_id'])
    .where((eb) =>
      eb.or([
        eb('state', '=', REMOVED),
        eb('state', '=', 'done').and('changed_at', '<=', since.done),
        eb('state', 'in', ['draft', 'checked', 'stopped', 'failed']).and(
          'changed_at',
          '<=',
          since.unfinished,
        ),
      ]),
    )
    .execute()
  for (const { id, import_id: importId } of rows) {
    if (isStopping()) return
    const open = db.updateTable('imports').set({ ended_at: clock.nowUs() })
    await open.where('id', '=', importId).where('ended_at', 'is', null).execute()
    // Nobody begins it again while its rows go.
    const row = db.updateTable('import_jobs').set({ state: REMOVED, source_key: null }).where('id', '=', id)
    await row.where('state', 'not in', ['checking', 'importing']).execute()
    await removeRowsOfJob(db, id)
    await db.deleteFrom('import_jobs').where('id', '=', id).where('state', '=', REMOVED).execute()
  }
}

/** All jobs of a workspace that is closed. */
export async function removeJobsOfWorkspace(db: RelaxedDb, workspaceId: number): Promise<void> {
  const rows = await db
    .selectFrom('import_jobs')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .execute()
  for (const { id } of rows) await removeRowsOfJob(db, id)
  await db.deleteFrom('import_jobs').where('workspace_id', '=', workspaceId).execute()
}

/** All that a job has besides itself, in steps that can be interrupted anywhere. */
async function removeRowsOfJob(db: RelaxedDb | DurableDb, jobId: number): Promise<void> {
  for (const table of Object.keys(STEPS) as JobRows[]) await removeRows(db, table, jobId)
}

export async function removeRows(db: RelaxedDb | DurableDb, table: JobRows, jobId: number): Promise<void> {
  const column = ({ import_parts: 'position', import_groups: 'first', import_items: 'number' } as const)[
    table
  ]
  for (;;) {
    const some = await db
      .selectFrom(table)
      .select(column as never)
      .where('job_id', '=', jobId)
      .orderBy(column as never)
      .limit(STEPS[table])
      .execute()
    const last = (some as Record<string, number>[]).at(-1)?.[column]
    if (last === undefined) return
    await db
      .deleteFrom(table)
      .where('job_id', '=', jobId)
      .where(column as never, '<=', last as never)
      .execute()
  }
}
