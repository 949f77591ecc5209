import { transact } from '../../../src/store/transact.ts'
import { sql } from 'kysely'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'

/** Opens the store of a folder and adds 1 to an account's clicks, in the given number of transactions. */
const [dataDir, times] = process.argv.slice(2)
const store = await openSqliteStore(dataDir!, 'same-thread')
for (let time = 0; time < Number(times); time++) {
  await transact(store.db, async (tx) => {
    const { rows } = await sql<{
      clicks: number
    }>`SELECT clicks FROM workspace_totals WHERE workspace_id = 1`.execute(tx)
    const clicks = (rows[0]?.clicks ?? 0) + 1
    await sql`INSERT OR REPLACE INTO workspace_totals VALUES (1, ${clicks}, 0, 0, NULL)`.execute(tx)
  })
}
await store.close()
