import { DAY_US } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { REFUSE_ON_POSTGRES } from './moved-mark.ts'
import { MOVED_TABLES } from './moved-tables.ts'
import { nameOf } from './move-location.ts'
import type { MoveSource } from './move-endpoint.ts'
import { MoveConnection } from './move-connection.ts'
import { postgresRowReader } from './postgres-row-reader.ts'
import { hasStore } from './postgres-version.ts'

/**
 * Freezes the store against writes: one transaction locks every table, and ends with this process. Nodes keep redirecting,
 * and keep their clicks in their journals.
 */
export async function freezePostgres(url: string): Promise<MoveSource> {
  const location = nameOf({ engine: 'postgres', url })
  const connection = await MoveConnection.open(url)
  try {
    await connection.takeLock(location)
    if (!(await hasStore(connection, location)))
      throw new Refusal('command_failed', `There is no store at ${location}.`)
    // kysely_migration too: a newer version must not migrate the tables during the move.
    await connection.beginAlone([...MOVED_TABLES, 'store_identity', 'kysely_migration'], 'EXCLUSIVE')
    return await frozen(connection, location)
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function frozen(connection: MoveConnection, location: string): Promise<MoveSource> {
  const [identity] = await connection.run<StoreIdentity>('SELECT * FROM store_identity')
  const transaction = await connection.value('SELECT pg_current_xact_id()::text')
  return {
    ...postgresRowReader(connection),
    location,
    identity: identity!,
    async clickDays() {
      const rows = await connection.run<{ day: bigint }>(
        `SELECT DISTINCT clicked_at / ${DAY_US} AS day FROM clicks`,
      )
      return rows.map(({ day }) => Number(day))
    },
    async leaveFor(destination, nowUs) {
      for (const statement of REFUSE_ON_POSTGRES) await connection.run(statement)
      const marked = await connection.run(
        `UPDATE store_identity SET moved_to = $1, moved_place = $2, moved_at = $3
          WHERE pg_current_xact_id()::text = $4 RETURNING id`,
        [destination.id, destination.location, BigInt(nowUs), transaction],
      )
      if (marked.length !== 1) throw new Error('The freeze has ended before the move.')
      await connection.run('COMMIT')
    },
    close: () => connection.close(),
  }
}
