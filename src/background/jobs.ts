import type { JournalReader } from '../clicks/journal-reader.ts'
import { sumUpNextHours } from '../clicks/link-days.ts'
import { forgetLinkReferrers } from '../clicks/link-referrers.ts'
import { purgeClicks } from '../clicks/purge-clicks.ts'
import { forgetVisitors } from '../clicks/seen-visitors.ts'
import { rotateVisitorSalts } from '../clicks/visitor-salts.ts'
import { type Clock, dayOf } from '../clock.ts'
import { forgetSessions } from '../accounts/session.ts'
import { forgetTokens } from '../accounts/single-use-token.ts'
import { removeClosedAccounts } from '../accounts/remove-closed-accounts.ts'
import { forgetAnswers } from '../links/idempotency.ts'
import { forgetDeletedLinks } from '../links/restore-link.ts'
import { describeError, type Log } from '../log.ts'
import { forgetChanges, indexNewLinks, prepareClickDays, runOnOneNode } from '../store/engine-sql.ts'
import type { Store } from '../store/open-store.ts'
import { type DiskMetrics, measureDisk } from './measure-disk.ts'

export type JobDeps = {
  store: Store
  clock: Clock
  readers: readonly Pick<JournalReader, 'removeOld'>[]
  metrics: DiskMetrics
  dataDir: string
  /** Whether what earlier runs have journaled has been counted. */
  hasCaughtUp(): boolean
  /** Single clicks are kept for so many days. */
  rawClickDays: number
  onSalts(salts: Map<number, Uint8Array>): void
}

export type Job = {
  name: string
  everyMs: number
  /** True: all nodes of a store have the same to do, so one at a time does it. */
  isShared?: boolean
  run(): Promise<void>
}

const SECOND_MS = 1_000
/** After a failure, sooner than its turn comes. */
export const RETRY_MS = 5_000
const MINUTE_MS = 60_000

/** What runs by itself, and how often. */
export function jobs(deps: JobDeps): Job[] {
  // One after the other: each keeps a connection for as long as it takes, and counting wants some too.
  let turn = Promise.resolve()
  const inTurn = (job: Job) => {
    const run = turn.then(() => runOnOneNode(deps.store.db, job.name, () => job.run()))
    turn = run.catch(() => {})
    return run
  }
  return everyJob(deps).map((job) => (job.isShared ? { ...job, run: () => inTurn(job) } : job))
}

function everyJob(deps: JobDeps): Job[] {
  const { clock, readers, metrics, dataDir, rawClickDays, hasCaughtUp, onSalts } = deps
  const { db, quickDb } = deps.store
  return [
    {
      name: 'make the salts of today and tomorrow, destroy older ones',
      everyMs: 10 * MINUTE_MS,
      run: async () => onSalts(await rotateVisitorSalts(db, clock.nowUs())),
    },
    {
      name: 'forget which visitors and referrers came before yesterday',
      everyMs: 60 * MINUTE_MS,
      isShared: true,
      run: async () => {
        // After an older backup, clicks of earlier days are to be counted: who came before must still be known.
        if (!hasCaughtUp()) return
        await forgetVisitors(quickDb, clock.nowUs())
        await forgetLinkReferrers(quickDb, clock.nowUs())
      },
    },
    {
      name: 'remove single clicks that are kept no longer',
      everyMs: 10 * MINUTE_MS,
      isShared: true,
      run: () => purgeClicks(quickDb, { nowUs: clock.nowUs(), keepDays: rawClickDays }),
    },
    {
      name: 'make room for the single clicks of the next days',
      everyMs: 60 * MINUTE_MS,
      run: async () => {
        const today = dayOf(clock.nowUs())
        if (rawClickDays > 0) await prepareClickDays(quickDb, [today, today + 1, today + 2])
      },
    },
    {
      name: 'remove journal segments that have been counted',
      everyMs: 10 * MINUTE_MS,
      run: async () => {
        for (const reader of readers) await reader.removeOld()
      },
    },
    {
      name: 'add new links to the search',
      everyMs: SECOND_MS,
      run: async () => {
        while (await indexNewLinks(quickDb));
      },
    },
    {
      name: 'sum up finished hours of much clicked links',
      everyMs: 10 * MINUTE_MS,
      isShared: true,
      run: async () => {
        while (await sumUpNextHours(quickDb, clock.nowUs()));
      },
    },
    {
      name: 'forget answers kept for repeated requests',
      everyMs: 60 * MINUTE_MS,
      isShared: true,
      run: () => forgetAnswers(quickDb, clock.nowUs()),
    },
    {
      name: 'forget sessions and mailed links that have ended',
      everyMs: 10 * MINUTE_MS,
      isShared: true,
      run: async () => {
        await forgetSessions(quickDb, clock.nowUs())
        await forgetTokens(quickDb, clock.nowUs())
      },
    },
    {
      name: 'forget deleted links that can no longer be restored',
      everyMs: MINUTE_MS,
      isShared: true,
      run: () => forgetDeletedLinks(quickDb, clock.nowUs()),
    },
    {
      name: 'forget changes that all nodes have heard of',
      everyMs: 10 * MINUTE_MS,
      isShared: true,
      run: () => forgetChanges(quickDb),
    },
    {
      name: 'remove what closed accounts have left',
      everyMs: MINUTE_MS,
      isShared: true,
      run: () => removeClosedAccounts(quickDb, clock),
    },
    {
      name: 'measure the data folder and its disk',
      everyMs: 15_000,
      run: () => measureDisk(dataDir, metrics),
    },
  ]
}

/** Runs each job now and then every so often, never beside itself. A failure is logged and tried again next time. */
export function startJobs(list: readonly Job[], log: Log): { stop(): Promise<void> } {
  const running = new Map<Job, Promise<void>>()
  const retries = new Set<Timer>()
  const runOnce = (job: Job) => {
    if (running.has(job)) return
    const run = Promise.try(() => job.run())
      .catch((error) => {
        log.error(`A job failed: ${job.name}.`, describeError(error))
        if (job.everyMs > RETRY_MS) retries.add(setTimeout(() => runOnce(job), RETRY_MS))
      })
      .finally(() => running.delete(job))
    running.set(job, run)
  }
  const timers = list.map((job) => setInterval(() => runOnce(job), job.everyMs))
  for (const job of list) runOnce(job)
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      for (const timer of retries) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}
