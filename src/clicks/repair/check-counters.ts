import { sql } from 'kysely'
import { HOUR_US, isoMicroseconds } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { type BrokenRow, COUNTER_INVARIANTS } from './counter-invariants.ts'

export type CheckedInvariant = { claim: string; broken: BrokenRow[] }

/** Compares the counters with each other, and with the clicks. `report` gets each result as it is known. */
export async function checkCounters(
  db: CurrentDb,
  report: (invariant: CheckedInvariant) => void = () => {},
): Promise<CheckedInvariant[]> {
  const results: CheckedInvariant[] = []
  for (const [claim, text] of Object.entries(COUNTER_INVARIANTS)) {
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
