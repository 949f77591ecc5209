import { ClickHouse } from '../../../src/clicks/clickhouse/clickhouse.ts'
import { ClickMover } from '../../../src/clicks/clickhouse/move-clicks.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { PostgresPool } from '../../../src/store/postgres/postgres-pool.ts'
import { DeathAtNth } from './die-at-nth.ts'

/**
 * Moves the clicks up to an id to ClickHouse, and is killed right before the n-th statement on either side once the store is open. Says how
 * many there are.
 */
const [databaseUrl, clickHouseUrl, upToId, nth] = process.argv.slice(2) as [string, string, string, string]
const { relaxedDb: db } = await openStore({ dataDir: '', databaseUrl, clickHouseUrl }, 'same-thread')
const death = new DeathAtNth(Number(nth))
death.watch(ClickHouse.prototype, 'insert', 'rows', 'run')
const { reserve } = PostgresPool.prototype
PostgresPool.prototype.reserve = async function () {
  const session = await reserve.apply(this)
  death.watch(session, 'run')
  return session
}
const mover = new ClickMover({
  db,
  clickHouse: new ClickHouse(clickHouseUrl),
  clock: systemClock,
  rawClickDays: 30,
})
console.log('moving')
await mover.moveUpTo(Number(upToId))
console.log(`moved by ${death.calls.length} statements`)
process.exit(0)
