/**
 * How many kills have to hit each kind of work in its middle: after it has begun, and before it was finished.
 * `KILL_ROUNDS=1000 bun test test/crash/killed-…` for more.
 */
export const KILLS = Number(process.env.KILL_ROUNDS ?? 100)

/** What misses the middle is tried again; so often, and no more. */
export const ATTEMPTS_MAX = 5 * KILLS

/** The n-th of a series that goes evenly from 1 to `last`, and from the beginning again when all were there. */
export const nthOf = (round: number, last: number): number => 1 + (round % last)
