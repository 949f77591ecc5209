import type { Caller } from '../../access/caller.ts'
import type { Log } from '../../runtime/log.ts'
import type { DurableDb, RelaxedDb, Tx } from '../../store/handles.ts'
import type { ImportDeps } from '../imported-items.ts'
import type { ServerClientSettings } from '../network/server-client.ts'
import type { ImportJobTable } from '../../store/import-job-schema.ts'
import type { Updateable } from 'kysely'
import type { ImportJob } from './import-job.ts'

export type JobRunDeps = ImportDeps & {
  relaxedDb: RelaxedDb
  log: Log
  domains: ImportDeps['domains'] & { shortUrlOf(key: { domainId: number; code: string }): string }
  /** Where files are while they are read. */
  folder: string
  client: ServerClientSettings
  /** Whether the user or key that has started a job could still edit links. */
  mayImport(caller: Caller): Promise<boolean>
}

/** A job that runs here. `runner`: this node. `signal`: aborted once it must not go on here. */
export type JobRun = { deps: JobRunDeps; job: ImportJob; runner: string; signal: AbortSignal }

/** Thrown where a run must not go on: its job was stopped, or another node has it. */
export class RunEnded extends Error {}

type Changes = Updateable<ImportJobTable>

/** Stores what the run has found out. Throws if the job is not this run's any more. */
export async function saveRunIn(
  tx: Tx | DurableDb,
  { job, runner, signal }: JobRun,
  changes: Changes,
): Promise<void> {
  if (signal.aborted) throw new RunEnded()
  const row = await tx
    .updateTable('import_jobs')
    .set(changes)
    .where('id', '=', job.id)
    .where('state', '=', job.state)
    .where('runner', '=', runner)
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw new RunEnded()
}

/**
 * Stores how far an import is, even if it was stopped since: what was imported is behind it. It is on the disk before the next group, whose
 * commit comes after it.
 */
export async function savePosition({ deps, job, runner }: JobRun): Promise<void> {
  const { position, recorded, refused } = job
  const row = await deps.relaxedDb
    .updateTable('import_jobs')
    .set({ position, recorded, refused })
    .where('id', '=', job.id)
    .where('runner', '=', runner)
    .returning('state')
    .executeTakeFirst()
  if (row?.state !== job.state) throw new RunEnded()
}
