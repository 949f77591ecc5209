import type { Caller } from '../../access/caller.ts'
import { Refusal } from '../../errors/refusal.ts'
import { lockedToChange } from '../../store/engine-sql.ts'
import type { AnyDb, ReadOnlyDb, Tx } from '../../store/handles.ts'
import { type Page, readPage } from '../../store/page-of-rows.ts'
import { type ImportJob, REMOVED, toImportJob } from './import-job.ts'

const jobsOf = (db: AnyDb, { workspaceId }: Pick<Caller, 'workspaceId'>) =>
  db
    .selectFrom('import_jobs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('state', '<>', REMOVED)

/** A job of the caller's workspace. One of another workspace is refused exactly like one that does not exist. */
export async function findJob({ db }: { db: AnyDb }, caller: Caller, jobId: number): Promise<ImportJob> {
  const row = await jobsOf(db, caller).where('id', '=', jobId).executeTakeFirst()
  if (row === undefined) throw noSuchJob()
  return toImportJob(row)
}

/** The same, which nobody else changes until the transaction ends. */
export async function lockJob(tx: Tx, caller: Caller, jobId: number): Promise<ImportJob> {
  const row = await lockedToChange(tx, jobsOf(tx, caller).where('id', '=', jobId)).executeTakeFirst()
  if (row === undefined) throw noSuchJob()
  return toImportJob(row)
}

/** A page of the jobs of the workspace, the latest first, and how many there are in all. */
export async function listJobs(
  { db }: { db: ReadOnlyDb },
  caller: Caller,
  page: Page,
): Promise<{ jobs: ImportJob[]; total: number }> {
  const { rows, total } = await readPage(jobsOf(db, caller).orderBy('id', 'desc'), page)
  return { jobs: rows.map(toImportJob), total }
}

const noSuchJob = () => new Refusal('import_not_found', 'Import not found.')

/** For what a job does not take in its state. */
export const jobConflict = (sentence: string): Refusal => new Refusal('import_job_state', sentence)
