import { rm } from 'node:fs/promises'
import { Refusal } from '../../errors/refusal.ts'
import { describeError } from '../../runtime/log.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { checkJob } from './check-job.ts'
import { toImportJob } from './import-job.ts'
import { type JobRun, type JobRunDeps, RunEnded, saveRunIn } from './job-run.ts'
import { runImport } from './run-import.ts'

/** Each has a thread while it reads its source. */
const RUNS_MAX = 3
/** Jobs that another node was running when it was killed are found by looking. */
const LOOK_MS = 5_000
const RENEW_MS = 10_000
/** After it, another node takes the job over. */
const RUNNER_US = 30 * 1_000_000

const OF_OURS = 'The import has failed because of an error of the server. It can be continued.'

/**
 * Runs the jobs that are to be checked and imported. A node claims a job by its row, and renews that while it runs; the job of a node
 * that was killed is claimed by another one, or after the next start.
 */
export class ImportJobs {
  readonly #runner: string = crypto.randomUUID()
  readonly #running = new Map<number, { workspaceId: number; end: AbortController; ended: Promise<void> }>()
  #deps: JobRunDeps | undefined
  #timers: Timer[] = []
  #looking: Promise<void> | undefined
  #mustLookAgain = false

  /** `isOnlyNode`: nobody else runs jobs of the store, so those that were claimed are free. */
  async open(deps: JobRunDeps, isOnlyNode: boolean): Promise<void> {
    this.#deps = deps
    await rm(deps.folder, { recursive: true, force: true }).catch((error) => this.#report(error))
    if (isOnlyNode) await this.#free().catch((error) => this.#report(error))
    this.#timers = [
      setInterval(() => this.wake(), LOOK_MS),
      setInterval(() => void this.#renew().catch((error) => this.#report(error)), RENEW_MS),
    ]
    this.wake()
  }

  /** Looks for jobs to run. */
  wake(): void {
    this.#mustLookAgain = true
    this.#looking ??= this.#look()
  }

  /** Ends the run of a job that was stopped, if it is here. */
  stopped(jobId: number): void {
    this.#running.get(jobId)?.end.abort(new RunEnded())
  }

  /** Jobs that run go on after the next start, or on another node. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#deps = undefined
    await this.#looking
    for (const { end } of this.#running.values()) end.abort(new RunEnded())
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  async #look(): Promise<void> {
    while (this.#mustLookAgain && this.#deps !== undefined) {
      this.#mustLookAgain = false
      await this.#claimAll(this.#deps).catch((error) => this.#report(error))
    }
    this.#looking = undefined
  }

  /** One job of a workspace at a time on each node, so that workspaces do not wait for one of them. */
  async #claimAll(deps: JobRunDeps): Promise<void> {
    const { db, clock } = deps
    const rows = await db
      .selectFrom('import_jobs')
      .selectAll()
      .where('state', 'in', ['checking', 'importing'])
      .where((eb) => eb.or([eb('runner', 'is', null), eb('runner_until', '<', clock.nowUs())]))
      .orderBy('id')
      .execute()
    for (const row of rows) {
      if (this.#running.size >= RUNS_MAX) return
      // A job that runs here is one of them.
      if ([...this.#running.values()].some(({ workspaceId }) => workspaceId === row.workspace_id)) continue
      const claim = db
        .updateTable('import_jobs')
        .set({ runner: this.#runner, runner_until: clock.nowUs() + RUNNER_US })
        .where('id', '=', row.id)
        .where('state', 'in', ['checking', 'importing'])
        .where((eb) => eb.or([eb('runner', 'is', null), eb('runner_until', '<', clock.nowUs())]))
      const claimed = await claim.returningAll().executeTakeFirst()
      if (claimed === undefined) continue
      const end = new AbortController()
      const run = { deps, job: toImportJob(claimed), runner: this.#runner, signal: end.signal }
      const ended = this.#run(run).finally(() => {
        this.#running.delete(row.id)
        this.wake()
      })
      this.#running.set(row.id, { workspaceId: row.workspace_id, end, ended })
    }
  }

  async #run(run: JobRun): Promise<void> {
    const { deps, job } = run
    try {
      await (job.state === 'checking' ? checkJob(run) : runImport(run))
    } catch (error) {
      if (!(error instanceof RunEnded)) await this.#fail(run, error).catch((reason) => this.#report(reason))
    }
    const own = deps.db.updateTable('import_jobs').set({ runner: null }).where('id', '=', job.id)
    await own
      .where('runner', '=', this.#runner)
      .execute()
      .catch((error) => this.#report(error))
  }

  /** A refusal is for the user. If the store is away, the job is claimed again once it is back. */
  async #fail(run: JobRun, error: unknown): Promise<void> {
    if (isStoreUnavailable(error)) return
    const { deps } = run
    const isForUser = error instanceof Refusal
    if (!isForUser) deps.log.error('An import has failed.', { job: run.job.id, ...describeError(error) })
    await saveRunIn(deps.db, run, {
      state: 'failed',
      message: isForUser ? error.message : OF_OURS,
      changed_at: deps.clock.nowUs(),
      waiting_until: null,
    }).catch((reason) => {
      if (!(reason instanceof RunEnded)) throw reason
    })
  }

  /** Those that were stopped elsewhere, or that another node has, end here. */
  async #renew(): Promise<void> {
    if (this.#deps === undefined || this.#running.size === 0) return
    const { db, clock } = this.#deps
    const rows = await db
      .updateTable('import_jobs')
      .set({ runner_until: clock.nowUs() + RUNNER_US })
      .where('id', 'in', [...this.#running.keys()])
      .where('runner', '=', this.#runner)
      .where('state', 'in', ['checking', 'importing'])
      .returning('id')
      .execute()
    const ids = new Set(rows.map(({ id }) => id))
    for (const [id, { end }] of this.#running) if (!ids.has(id)) end.abort(new RunEnded())
  }

  async #free(): Promise<void> {
    const claimed = this.#deps!.db.updateTable('import_jobs').set({ runner: null })
    await claimed.where('runner', 'is not', null).execute()
  }

  #report(error: unknown): void {
    if (!isStoreUnavailable(error)) this.#deps?.log.error('Could not run imports.', describeError(error))
  }
}
