/** The only source of time. Times are microseconds since 1970 UTC, as JavaScript numbers (exact until 2255). */
export type Clock = {
  /** Wall time. Never steps back a little within a thread, so that later records do not get earlier times. */
  nowUs(): number
  /** For durations: unaffected by changes of the wall clock. */
  monotonicMs(): number
}

export const MINUTE_US = 60 * 1_000_000
export const QUARTER_US = 15 * MINUTE_US
export const HOUR_US = 60 * MINUTE_US
export const DAY_US = 24 * HOUR_US

/** A larger step back is a correction, and is followed: standing still until then would stay wrong for as long. */
const STEP_BACK_US_MAX = MINUTE_US

export function steadyClock(wallUs: () => number): Clock['nowUs'] {
  let lastUs = 0
  return () => {
    const us = wallUs()
    if (us > lastUs || us < lastUs - STEP_BACK_US_MAX) lastUs = us
    return lastUs
  }
}

export const systemClock: Clock = {
  // Date has only milliseconds.
  nowUs: steadyClock(() => Number(Temporal.Now.instant().epochNanoseconds / 1000n)),
  monotonicMs: () => performance.now(),
}

/** For tests: moves only by advance(). */
export function manualClock(startUs: number): Clock & { advance(us: number): void } {
  let us = startUs
  return {
    nowUs: () => us,
    monotonicMs: () => us / 1000,
    advance(byUs) {
      us += byUs
    },
  }
}

/** `2026-04-20T12:00:00.000000Z`: always six digits, as in the specification. */
export function isoMicroseconds(us: number): string {
  const milliseconds = Math.floor(us / 1000)
  const rest = String(us - milliseconds * 1000).padStart(3, '0')
  return new Date(milliseconds).toISOString().slice(0, -1) + rest + 'Z'
}

export const isoOrNull = (us: number | null): string | null => (us === null ? null : isoMicroseconds(us))

/** Whole days since 1970 UTC. */
export const dayOf = (us: number): number => Math.floor(us / DAY_US)

export const HOURS_OF_DAY = 24

/** Whole hours since 1970 UTC: the finest bucket that counters have. */
export const hourOf = (us: number): number => Math.floor(us / HOUR_US)

export const QUARTERS_OF_HOUR = 4

/** Whole quarters of an hour since 1970 UTC: every time zone is some of them from UTC. */
export const quarterOf = (us: number): number => Math.floor(us / QUARTER_US)

const MONTHS_OF_YEAR = 12

/** Whole months since 1970 UTC. */
export function monthOf(us: number): number {
  const date = new Date(us / 1000)
  return (date.getUTCFullYear() - 1970) * MONTHS_OF_YEAR + date.getUTCMonth()
}

export const monthStartUs = (month: number): number => Date.UTC(1970, month) * 1000

/** `2026-04-20` for a whole day since 1970 UTC. */
export const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
