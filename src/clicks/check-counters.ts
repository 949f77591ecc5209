import { sql } from 'kysely'
import { DAY_US, HOUR_US, hourOf, isoMicroseconds } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import { type BrokenRow, COUNTER_CLAIMS, type CounterClaims, singleClickClaims } from './counter-claims.ts'

export type CheckedClaim = { claim: string; broken: BrokenRow[] }

/** For how many days single clicks are kept. */
type Kept = { nowUs: number; keepDays: number }

/** Holds the counters against each other, and against the single clicks as far as they are kept. */
export async function checkCounters(db: Db, kept: Kept): Promise<CheckedClaim[]> {
  const fromHour = await firstWholeHour(db, kept)
  const claims: CounterClaims = {
    ...COUNTER_CLAIMS,
    ...(fromHour === undefined ? {} : singleClickClaims(fromHour)),
  }
  const checked: CheckedClaim[] = []
  for (const [claim, text] of Object.entries(claims)) {
    const { rows } = await sql.raw<BrokenRow>(text).execute(db)
    checked.push({ claim, broken: rows.map(withTime) })
  }
  return checked
}

/** Hours are numbered in the tables; an operator reads times. */
const withTime = ({ subject, ...row }: BrokenRow): BrokenRow => ({
  ...row,
  subject: subject.replace(/hour (\d+)/, (_, hour) => `hour ${isoMicroseconds(hour * HOUR_US).slice(0, 13)}`),
})

/**
 * The first hour of which every single click is there: behind what is removed by now, and behind the first one, before
 * which none may have been kept. Undefined when there is none.
 */
async function firstWholeHour(db: Db, { nowUs, keepDays }: Kept): Promise<number | undefined> {
  if (keepDays === 0) return undefined
  const { first } = await db
    .selectFrom('clicks')
    .select((eb) => eb.fn.min('clicked_at').as('first'))
    .executeTakeFirstOrThrow()
  if (first === null) return undefined
  return Math.max(Math.ceil((nowUs - keepDays * DAY_US) / HOUR_US), hourOf(Number(first)) + 1)
}
