import type { Metrics } from '../metrics/metrics.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { StoreSharing } from './open-store.ts'
import { StoreOutage } from './store-outage.ts'
import { type SharedWriteLock, WriteLock } from './sqlite/write-lock.ts'

type Shared = { log: Log; metrics: Metrics; writeLock: SharedWriteLock }

/** What a thread of the service shares with its store. */
export function sharingOf(thread: 'api' | 'background', { log, metrics, writeLock }: Shared): StoreSharing {
  const clock = systemClock
  const { storeWrites, storeFailures, storeErrors, storeUnavailable } = metrics
  return {
    writeLock: new WriteLock(writeLock),
    metrics: { clock, seconds: storeWrites[thread], failures: storeFailures[thread] },
    retryLog: log,
    outage: new StoreOutage({
      clock,
      log,
      errors: storeErrors[thread],
      unavailable: storeUnavailable[thread],
    }),
  }
}
