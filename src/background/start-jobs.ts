import { describeError, type Log } from '../runtime/log.ts'
import { isStoreUnavailable } from '../store/store-errors.ts'

export type Job = {
  name: string
  everyMs: number
  /** The job concerns all nodes of a store, so one node at a time runs it. */
  isShared?: boolean
  run(): Promise<void>
}

/** After a failure, if the job is not due sooner. */
export const RETRY_MS = 5_000

/** Runs each job now and then at its interval, never twice at once. A failure is logged and retried. */
export function startJobs(list: readonly Job[], log: Log): { stop(): Promise<void> } {
  const running = new Map<Job, Promise<void>>()
  const retries = new Set<Timer>()
  const runOnce = (job: Job) => {
    if (running.has(job)) return
    const run = Promise.try(() => job.run())
      .catch((error) => {
        if (!isStoreUnavailable(error)) log.error(`A job failed: ${job.name}.`, describeError(error))
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
