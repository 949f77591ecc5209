import type { Clock } from '../runtime/clock.ts'

/** How long each transaction, or group of transactions committed as one, took, and how many failed. */
export type WriteMetrics = {
  clock: Pick<Clock, 'monotonicMs'>
  seconds: { observe(seconds: number): void }
  failures: { add(): void }
}
