import { type Kysely, type Migration, Migrator, sql, SqliteAdapter } from 'kysely'
import { MIGRATIONS, pendingMigrations } from './migrations.ts'
import type { Log } from '../../runtime/log.ts'
import { refuseNotInUse } from '../store-identity.ts'

const SILENT: Pick<Log, 'info'> = { info() {} }

/**
 * Brings the tables up to this version, once however many processes start together. Refuses and leaves as they are those of another
 * program, of versions that it does not understand, and those that are no longer, or not yet, the store's.
 */
export async function migrate(db: Kysely<any>, log = SILENT, migrations = MIGRATIONS): Promise<void> {
  const schema = await schemaOf(db)
  const tables = await tablesOf(db, schema)
  const pending = await pendingOn(db, tables, migrations)
  // Not for a new store: only a large one can take minutes.
  const names = tables.length === 0 ? [] : pending
  const engine = isSqlite(db) ? 'sqlite' : 'postgres'
  const steps = Object.entries(migrations).map(([name, statements]): [string, Migration] => [
    name,
    {
      async up(tx) {
        const step = `${names.indexOf(name) + 1} of ${names.length}`
        if (names.includes(name)) log.info('Migrating the database.', { migration: name, step })
        for (const statement of statements[engine]) await sql.raw(statement).execute(tx)
      },
    },
  ])
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
  const { error } = await withoutForeignKeys(db, () => migrator.migrateToLatest())
  if (error !== undefined) throw new Error('Could not migrate the store.', { cause: error })
  if (names.length > 0) log.info('The database is migrated.')
}

/** The same refusals for commands that only read, and one for tables that the next start would migrate. */
export async function refuseUnmigrated(db: Kysely<any>): Promise<void> {
  const pending = await pendingOn(db, await tablesOf(db, await schemaOf(db)), MIGRATIONS)
  if (pending.length === 0) return
  throw new UnmigratedStore(
    'This command only reads, and the database must be migrated first. Start the server, which migrates it, then run this command again.',
  )
}

const isSqlite = (db: Kysely<any>): boolean => db.getExecutor().adapter instanceof SqliteAdapter

/**
 * SQLite changes much of a table only by making it again. While it enforces foreign keys, dropping the old one would look
 * for rows that refer to each of its rows. That can be changed only outside of a transaction.
 */
async function withoutForeignKeys<Value>(db: Kysely<any>, work: () => Promise<Value>): Promise<Value> {
  if (!isSqlite(db)) return work()
  await sql`PRAGMA foreign_keys = OFF`.execute(db)
  try {
    return await work()
  } finally {
    await sql`PRAGMA foreign_keys = ON`.execute(db)
  }
}

/** On PostgreSQL, where the tables are: other schemas of the database may belong to others. */
async function schemaOf(db: Kysely<any>): Promise<string | undefined> {
  if (isSqlite(db)) return undefined
  const { rows } = await sql<{ schema: string | null }>`SELECT current_schema() AS schema`.execute(db)
  return rows[0]!.schema ?? undefined
}

async function tablesOf(db: Kysely<any>, schema: string | undefined): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.filter((table) => schema === undefined || table.schema === schema).map(({ name }) => name)
}

/** The names of the migrations that are still to run on these tables. */
async function pendingOn(
  db: Kysely<any>,
  tables: readonly string[],
  migrations: typeof MIGRATIONS,
): Promise<string[]> {
  if (tables.length === 0) return Object.keys(migrations)
  if (!tables.includes('kysely_migration'))
    throw new ForeignStore(
      `The database holds the tables of another program (${tables[0]} and so on): check DATA_DIR and DATABASE_URL.`,
    )
  const applied = await db.selectFrom('kysely_migration').select('name').execute()
  const names = applied.map(({ name }) => String(name))
  const pending = pendingMigrations(names, 'The data', migrations)
  if (tables.includes('store_identity')) await refuseNotInUse(db)
  return pending
}

/** Thrown when the store is another program's. */
export class ForeignStore extends Error {}

/** Thrown by commands that only read when the tables are not yet those of this version. */
export class UnmigratedStore extends Error {}
