import { sql } from 'kysely'
import { DAY_US, HOUR_US, hourOf, isoMicroseconds } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import {
  type BrokenRow,
  COUNTER_INVARIANTS,
  type CounterInvariants,
  rawClickInvariants,
} from './counter-invariants.ts'

export type CheckedInvariant = { claim: string; broken: BrokenRow[] }

type KeptPeriod = { nowUs: number; keepDays: number }

/** Compares the counters with each other, and with the single clicks that are kept. `report` gets each result as it is known. */
export async function checkCounters(
  db: CurrentDb,
  kept: KeptPeriod,
  report: (invariant: CheckedInvariant) => void = () => {},
): Promise<CheckedInvariant[]> {
  const fromHour = await firstWholeHour(db, kept)
  const invariants: CounterInvariants = {
    ...COUNTER_INVARIANTS,
    ...(fromHour === undefined ? {} : rawClickInvariants(fromHour)),
  }
  const results: CheckedInvariant[] = []
  for (const [claim, text] of Object.entries(invariants)) {
    const { rows } = await sql.raw<BrokenRow>(text).execute(db)
    const invariant = { claim, broken: rows.map(withTime) }
    results.push(invariant)
    report(invariant)
  }
  return results
}

/** Replaces the number of an hour by its time. */
const withTime = ({ subject, ...row }: BrokenRow): BrokenRow => ({
  ...row,
  subject: subject.replace(/hour (\d+)/, (_, hour) => `hour ${isoMicroseconds(hour * HOUR_US).slice(0, 13)}`),
})

/**
 * The first hour of which all single clicks are kept: after those that are due to be removed, and after the hour of the first
 * one. Undefined if there is none.
 */
async function firstWholeHour(db: CurrentDb, { nowUs, keepDays }: KeptPeriod): Promise<number | undefined> {
  if (keepDays === 0) return undefined
  const { first } = await db
    .selectFrom('clicks')
    .select((eb) => eb.fn.min('clicked_at').as('first'))
    .executeTakeFirstOrThrow()
  if (first === null) return undefined
  return Math.max(Math.ceil((nowUs - keepDays * DAY_US) / HOUR_US), hourOf(Number(first)) + 1)
}
