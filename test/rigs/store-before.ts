import { Kysely } from 'kysely'
import { migrate, POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from '../../src/store/migrations/migrate.ts'
import type { StoreLocation } from '../../src/store/open-store.ts'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import { PostgresPool } from '../../src/store/postgres/postgres-pool.ts'
import { storePath } from '../../src/store/sqlite/open-sqlite-store.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { openSqliteFile } from '../../src/store/sqlite/sqlite-file.ts'
import { SqliteWriter } from '../../src/store/sqlite/sqlite-writer.ts'
import { type Engine, testPostgres } from './test-store.ts'

/** A store as the versions before a migration made it, filled by a test. `migration` is a part of its name. */
export async function makeStoreBefore(
  { dataDir, engine, migration }: { dataDir: string; engine: Engine; migration: string },
  fill: (db: Kysely<any>) => Promise<void>,
): Promise<StoreLocation> {
  if (engine === 'sqlite') {
    const database = openSqliteFile(storePath(dataDir))
    const db = new Kysely<any>({ dialect: sqliteDialect(new SqliteWriter(database), 'full') })
    await migrate(db, before(SQLITE_MIGRATIONS, migration))
    await fill(db)
    await db.destroy()
    database.close()
    return { dataDir }
  }
  const databaseUrl = await (await testPostgres()).makeDatabase()
  const settings = { url: databaseUrl, connectionsMax: 2, statementMsMax: 60_000 }
  const pool = new PostgresPool({ ...settings, synchronousCommit: 'on' })
  const db = new Kysely<any>({ dialect: postgresDialect(pool) })
  await migrate(db, before(POSTGRES_MIGRATIONS, migration))
  await fill(db)
  await pool.close()
  return { dataDir, databaseUrl }
}

function before<Migrations extends object>(migrations: Migrations, name: string) {
  const all = Object.entries(migrations)
  const end = all.findIndex(([each]) => each.includes(name))
  if (end === -1) throw new Error(`There is no migration ${name}.`)
  return Object.fromEntries(all.slice(0, end))
}
