import type { JournalReader } from '../clicks/journal-reader.ts'
import { purgeClicks } from '../clicks/purge-clicks.ts'
import { forgetVisitors } from '../clicks/seen-visitors.ts'
import { rotateVisitorSalts } from '../clicks/visitor-salts.ts'
import { type Clock } from '../clock.ts'
import { forgetAnswers } from '../links/idempotency.ts'
import { describeError, type Log } from '../log.ts'
import type { Store } from '../store/open-store.ts'

export type JobDeps = {
  store: Store
  clock: Clock
  reader: Pick<JournalReader, 'removeOld'>
  /** Whether what earlier runs have journaled has been counted. */
  hasCaughtUp(): boolean
  /** Single clicks are kept for so many days. */
  rawClickDays: number
  onSalts(salts: Map<number, Uint8Array>): void
}

export type Job = { name: string; everyMs: number; run(): Promise<void> }

const MINUTE_MS = 60_000

/** What runs by itself, and how often. */
export function jobs({
  store: { db, quickDb },
  clock,
  reader,
  rawClickDays,
  hasCaughtUp,
  onSalts,
}: JobDeps): Job[] {
  return [
    {
      name: 'make the salts of today and tomorrow, destroy older ones',
      everyMs: 10 * MINUTE_MS,
      run: async () => onSalts(await rotateVisitorSalts(db, clock.nowUs())),
    },
    {
      name: 'forget which visitors came before yesterday',
      everyMs: 60 * MINUTE_MS,
      run: async () => {
        // After an older backup, clicks of earlier days are to be counted: who came before must still be known.
        if (hasCaughtUp()) await forgetVisitors(quickDb, clock.nowUs())
      },
    },
    {
      name: 'remove single clicks that are kept no longer',
      everyMs: 10 * MINUTE_MS,
      run: () => purgeClicks(quickDb, { nowUs: clock.nowUs(), keepDays: rawClickDays }),
    },
    {
      name: 'remove journal segments that have been counted',
      everyMs: 10 * MINUTE_MS,
      run: () => reader.removeOld(),
    },
    {
      name: 'forget answers kept for repeated requests',
      everyMs: 60 * MINUTE_MS,
      run: () => forgetAnswers(quickDb, clock.nowUs()),
    },
  ]
}

/** Runs each job now and then every so often, never beside itself. A failure is logged and tried again next time. */
export function startJobs(list: readonly Job[], log: Log): { stop(): Promise<void> } {
  const running = new Map<Job, Promise<void>>()
  const runOnce = (job: Job) => {
    if (running.has(job)) return
    const run = Promise.try(() => job.run())
      .catch((error) => log.error(`A job failed: ${job.name}.`, describeError(error)))
      .finally(() => running.delete(job))
    running.set(job, run)
  }
  const timers = list.map((job) => setInterval(() => runOnce(job), job.everyMs))
  for (const job of list) runOnce(job)
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}
