import { type Kysely, type Migration, Migrator } from 'kysely'
import * as postgresFoundation from './migrations/0001-foundation.postgres.ts'
import * as foundation from './migrations/0001-foundation.sqlite.ts'
import * as codeLog from './migrations/0002-code-log.sqlite.ts'
import * as postgresStoreMove from './migrations/0002-store-move.postgres.ts'
import * as people from './migrations/0003-people.sqlite.ts'
import * as linkDays from './migrations/0004-link-days.sqlite.ts'
import * as storeMove from './migrations/0005-store-move.sqlite.ts'
import * as hoursOfLinkDays from './migrations/0006-hours-of-link-days.ts'
import * as keyHints from './migrations/0007-key-hints.ts'
import * as postgresCodesInSearch from './migrations/0005-codes-in-search.postgres.ts'
import * as codesInSearch from './migrations/0008-codes-in-search.sqlite.ts'
import * as postgresLinkReferrers from './migrations/0006-link-referrers.postgres.ts'
import * as linkReferrers from './migrations/0009-link-referrers.sqlite.ts'
import { refuseNotInUse } from './store-identity.ts'

type Migrations = Record<string, Migration>

/** Forward only, in order, each once and whole. Never edit one that was released: add the next. */
export const SQLITE_MIGRATIONS: Migrations = {
  '0001-foundation': foundation,
  '0002-code-log': codeLog,
  '0003-people': people,
  '0004-link-days': linkDays,
  '0005-store-move': storeMove,
  '0006-hours-of-link-days': hoursOfLinkDays,
  '0007-key-hints': keyHints,
  '0008-codes-in-search': codesInSearch,
  '0009-link-referrers': linkReferrers,
}

/** PostgreSQL came later: its first makes what SQLite's first four do. What comes after them comes on both. */
export const POSTGRES_MIGRATIONS: Migrations = {
  '0001-foundation': postgresFoundation,
  '0002-store-move': postgresStoreMove,
  '0003-hours-of-link-days': hoursOfLinkDays,
  '0004-key-hints': keyHints,
  '0005-codes-in-search': postgresCodesInSearch,
  '0006-link-referrers': postgresLinkReferrers,
}

/**
 * Brings the tables up to this version, once however many processes start together. Another program's, a newer version's
 * and those that are no longer, or not yet, the store's are refused and left as they are.
 */
export async function migrate(db: Kysely<any>, migrations: Migrations): Promise<void> {
  const tables = await refuseForeignAndNewer(db, migrations)
  if (tables.includes('store_identity')) await refuseNotInUse(db)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('Could not migrate the store.', { cause: error })
}

/** Gives the names of all tables. */
async function refuseForeignAndNewer(db: Kysely<any>, migrations: Migrations): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const names = tables.map(({ name }) => name)
  if (names.length === 0) return names
  if (!names.includes('kysely_migration')) {
    throw new ForeignStore(
      `The database holds the tables of another program (${names[0]} and so on): check DATA_DIR and DATABASE_URL.`,
    )
  }
  const applied = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  const unknown = applied.map((row) => String(row.name)).filter((name) => !(name in migrations))
  if (unknown.length === 0) return names
  throw new NewerStore(
    `The data was written by a newer Tern (it has ${unknown.join(', ')}). Start that version, or a newer one; nothing was changed.`,
  )
}

/** Thrown when the store is another program's. */
export class ForeignStore extends Error {}

/** Thrown when the store belongs to a later version of Tern. */
export class NewerStore extends Error {}
