import { sql } from 'kysely'
import { HOUR_US, isoMicroseconds } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import type { FileSums } from '../parquet/sum-files.ts'
import { type BrokenRow, closedTables, COUNTER_INVARIANTS } from './counter-invariants.ts'

export type CheckedInvariant = { claim: string; broken: BrokenRow[] }

type CheckOptions = {
  /** Of the clicks in files, or in ClickHouse. */
  closed?: FileSums | undefined
  /** Gets each result as it is known. */
  report?: ((invariant: CheckedInvariant) => void) | undefined
}

/** Compares the counters with each other, and with the clicks. */
export async function checkCounters(
  db: CurrentDb,
  { closed, report = () => {} }: CheckOptions = {},
): Promise<CheckedInvariant[]> {
  const results: CheckedInvariant[] = []
  for (const [claim, text] of Object.entries(COUNTER_INVARIANTS)) {
    const { rows } =
      await sql<BrokenRow>`SELECT * FROM (${closedTables(db, closed)} ${sql.raw(text)}) AS broken`.execute(db)
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
