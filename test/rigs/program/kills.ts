/**
 * How many kills have to hit each kind of work in its middle: after it has begun, and before it was finished.
 * `KILL_ROUNDS=1000 bun test test/robustness/kill/killed-…` for more.
 */
export const KILLS = Number(process.env.KILL_ROUNDS ?? 8)

/** A kill that misses the middle is repeated at most so often. */
export const ATTEMPTS_MAX = 5 * KILLS

/** The n-th value of a series that runs evenly from 1 to `last`, then starts over. */
export const nthOf = (round: number, last: number): number => 1 + (round % last)
