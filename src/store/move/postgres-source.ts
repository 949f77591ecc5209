import { DAY_US } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { REFUSE_ON_POSTGRES } from './moved-mark.ts'
import { MOVED_TABLES } from './moved-tables.ts'
import { nameOf } from './move-place.ts'
import type { MoveSource } from './move-side.ts'
import { PostgresLine } from './postgres-line.ts'
import { postgresLines } from './postgres-lines.ts'
import { hasStore } from './postgres-version.ts'

/**
 * Freezes the store for whoever writes: one transaction locks every table, and ends with this process. Nodes redirect on,
 * and keep their clicks in their journals.
 */
export async function freezePostgres(url: string): Promise<MoveSource> {
  const place = nameOf({ engine: 'postgres', url })
  const line = await PostgresLine.open(url)
  try {
    await line.takeLock(place)
    if (!(await hasStore(line, place))) throw new Refusal('invalid', `There is no store at ${place}.`)
    // Nor does a newer version change the tables meanwhile.
    await line.beginAlone([...MOVED_TABLES, 'store_identity', 'kysely_migration'], 'EXCLUSIVE')
    return await frozen(line, place)
  } catch (error) {
    await line.close()
    throw error
  }
}

async function frozen(line: PostgresLine, place: string): Promise<MoveSource> {
  const [identity] = await line.run<StoreIdentity>('SELECT * FROM store_identity')
  const transaction = await line.value('SELECT pg_current_xact_id()::text')
  return {
    ...postgresLines(line),
    place,
    identity: identity!,
    async clickDays() {
      const rows = await line.run<{ day: bigint }>(
        `SELECT DISTINCT clicked_at / ${DAY_US} AS day FROM clicks`,
      )
      return rows.map(({ day }) => Number(day))
    },
    async leaveFor(target, nowUs) {
      for (const statement of REFUSE_ON_POSTGRES) await line.run(statement)
      const marked = await line.run(
        `UPDATE store_identity SET moved_to = $1, moved_place = $2, moved_at = $3
          WHERE pg_current_xact_id()::text = $4 RETURNING id`,
        [target.id, target.place, BigInt(nowUs), transaction],
      )
      if (marked.length !== 1) throw new Error('The freeze has ended before the move.')
      await line.run('COMMIT')
    },
    close: () => line.close(),
  }
}
