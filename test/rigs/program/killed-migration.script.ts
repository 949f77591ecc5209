import { Database } from 'bun:sqlite'
import { PostgresPool } from '../../../src/store/postgres/postgres-pool.ts'
import { DeathAtNth } from './die-at-nth.ts'
import { openUpgraded } from '../store/upgraded-store.ts'

/** Upgrades a store, and is killed right before the n-th statement. Says which there are. */
const [dataDir, databaseUrl, nth] = process.argv.slice(2)
const death = new DeathAtNth(Number(nth))
if (databaseUrl === '') death.watch(Database.prototype, 'run', 'query')
else watchPools()
await openUpgraded({ dataDir: dataDir!, databaseUrl: databaseUrl || undefined })
console.log(JSON.stringify(death.calls))
process.exit(0)

function watchPools(): void {
  const { reserve } = PostgresPool.prototype
  death.watch(PostgresPool.prototype, 'run')
  PostgresPool.prototype.reserve = async function () {
    const session = await reserve.apply(this)
    death.watch(session, 'run')
    return session
  }
}
