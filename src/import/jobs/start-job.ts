import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { addImport } from '../records/begin-import.ts'
import { findJob, jobConflict, lockJob } from './find-job.ts'
import { callerText, type ImportJob, isRunning } from './import-job.ts'
import type { ImportJobs } from './import-jobs.ts'

export type MoveJobDeps = {
  db: DurableDb
  clock: Pick<Clock, 'nowUs'>
  importJobs: Pick<ImportJobs, 'wake' | 'stopped'>
}

/** Has the job checked. Nothing is imported. */
export async function checkImport(deps: MoveJobDeps, caller: Caller, jobId: number): Promise<ImportJob> {
  const checking = await transact(deps.db, async (tx) => {
    const job = await lockJob(tx, caller, jobId)
    if (isRunning(job.state)) throw jobConflict('The import runs.')
    if (job.importId !== undefined)
      throw jobConflict('The import has begun. Continue it, or edit it to have it checked again.')
    refuseWithoutSource(job)
    return begin({ tx, deps, caller }, job, 'checking')
  })
  deps.importJobs.wake()
  return checking
}

/** Imports what was checked, or goes on with what was stopped or has failed. */
export async function startImport(deps: MoveJobDeps, caller: Caller, jobId: number): Promise<ImportJob> {
  const started = await transact(deps.db, async (tx) => {
    const job = await lockJob(tx, caller, jobId)
    if (isRunning(job.state)) throw jobConflict('The import runs.')
    if (job.state === 'done') throw jobConflict('The import is done. Begin another one.')
    if (job.state === 'draft') throw jobConflict('Check the import first.')
    // A check that was stopped.
    if (job.counts === undefined) return begin({ tx, deps, caller }, job, 'checking')
    return begin({ tx, deps, caller }, job, 'importing')
  })
  deps.importJobs.wake()
  return started
}

/** What was imported so far stays. */
export async function stopImport(deps: MoveJobDeps, caller: Caller, jobId: number): Promise<ImportJob> {
  const stopped = await transact(deps.db, async (tx) => {
    const job = await lockJob(tx, caller, jobId)
    if (job.state === 'stopped') return job
    if (!isRunning(job.state)) throw jobConflict('The import does not run.')
    const row = tx.updateTable('import_jobs').where('id', '=', jobId)
    const changed_at = deps.clock.nowUs()
    await row.set({ state: 'stopped', waiting_until: null, message: null, changed_at }).execute()
    return findJob({ db: tx }, caller, jobId)
  })
  deps.importJobs.stopped(jobId)
  return stopped
}

function refuseWithoutSource({ url, files }: ImportJob): void {
  if (url !== undefined) return
  if (files.length === 0) throw invalid({ files: ['Upload a file first.'] })
  const cut = files.find(({ bytes, size }) => size !== null && bytes < size)
  if (cut !== undefined) throw invalid({ files: [`Only a part of ${cut.name} was uploaded.`] })
}

type Beginning = { tx: Tx; deps: MoveJobDeps; caller: Caller }

async function begin(
  { tx, deps, caller }: Beginning,
  job: ImportJob,
  state: 'checking' | 'importing',
): Promise<ImportJob> {
  const nowUs = deps.clock.nowUs()
  const { source } = job
  const isNew = state === 'importing' && job.importId === undefined
  const imported = isNew ? { import_id: (await addImport(tx, caller, { source, nowUs })).id } : {}
  const fromStart = isNew || state === 'checking'
  const row = tx.updateTable('import_jobs').where('id', '=', job.id)
  await row
    .set({
      state,
      caller: callerText(caller),
      changed_at: nowUs,
      message: null,
      ...imported,
      ...(state === 'checking' && { counts: null, ...(job.links === undefined && { description: '[]' }) }),
      ...(fromStart && { position: 0, recorded: 0, refused: 0, started_at: nowUs }),
    })
    .execute()
  return findJob({ db: tx }, caller, job.id)
}
