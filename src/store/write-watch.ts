import type { Clock } from '../clock.ts'

/** Hears how long each transaction took, or group of them that are committed as one, and of each that failed. */
export type WriteWatch = {
  clock: Pick<Clock, 'monotonicMs'>
  seconds: { observe(seconds: number): void }
  failures: { add(): void }
}
