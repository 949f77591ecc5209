import { type Kysely, type Migration, Migrator, sql, SqliteAdapter } from 'kysely'
import * as channelsOfSchemas from './0022-channels-of-schemas.postgres.ts'
import * as postgresFoundation from './0001-foundation.postgres.ts'
import * as foundation from './0001-foundation.sqlite.ts'
import * as codeLog from './0002-code-log.sqlite.ts'
import * as postgresStoreMove from './0002-store-move.postgres.ts'
import * as people from './0003-people.sqlite.ts'
import * as linkDays from './0004-link-days.sqlite.ts'
import * as storeMove from './0005-store-move.sqlite.ts'
import * as hoursOfLinkDays from './0006-hours-of-link-days.ts'
import * as keyHints from './0007-key-hints.ts'
import * as postgresCodesInSearch from './0005-codes-in-search.postgres.ts'
import * as codesInSearch from './0008-codes-in-search.sqlite.ts'
import * as postgresLinkReferrers from './0006-link-referrers.postgres.ts'
import * as routeTriggers from './0007-route-triggers.postgres.ts'
import * as linkReferrers from './0009-link-referrers.sqlite.ts'
import * as postgresClickDimensions from './0008-click-dimensions.postgres.ts'
import * as clickDimensions from './0010-click-dimensions.sqlite.ts'
import * as postgresWorkspaces from './0009-workspaces.postgres.ts'
import * as workspaces from './0011-workspaces.sqlite.ts'
import * as postgresDomains from './0010-domains.postgres.ts'
import * as domains from './0012-domains.sqlite.ts'
import * as postgresLinkOptions from './0011-link-options.postgres.ts'
import * as linkOptions from './0013-link-options.sqlite.ts'
import * as postgresLabelsAndViews from './0012-labels-and-views.postgres.ts'
import * as labelsAndViews from './0014-labels-and-views.sqlite.ts'
import * as postgresLinksByDestination from './0013-links-by-destination.postgres.ts'
import * as linksByTime from './0015-links-by-time.sqlite.ts'
import * as postgresTeams from './0014-teams.postgres.ts'
import * as teams from './0016-teams.sqlite.ts'
import * as domainLooks from './0017-domain-looks.ts'
import * as clickExtras from './0018-click-extras.ts'
import * as keptKeys from './0019-kept-keys.ts'
import * as postgresGroupWorkspaces from './0018-group-workspaces.postgres.ts'
import * as groupWorkspaces from './0020-group-workspaces.sqlite.ts'
import * as countedReports from './0021-counted-reports.ts'
import * as operatorKeys from './0022-operator-keys.ts'
import * as missingClicks from './0023-missing-clicks.ts'
import * as destinationHash from './0024-destination-hash.sqlite.ts'
import * as postgresDestinationHash from './0023-destination-hash.postgres.ts'
import * as privateFindings from './0025-private-findings.ts'
import * as limitsOfClickedLinks from './0026-limits-of-clicked-links.sqlite.ts'
import * as postgresLimitsOfClickedLinks from './0025-limits-of-clicked-links.postgres.ts'
import * as searchesWithoutAccents from './0027-searches-without-accents.sqlite.ts'
import * as postgresSearchesWithoutAccents from './0026-searches-without-accents.postgres.ts'
import * as lastWorkspace from './0028-last-workspace.sqlite.ts'
import * as postgresLastWorkspace from './0027-last-workspace.postgres.ts'
import { linkColumn } from './link-column.ts'
import type { Log } from '../../runtime/log.ts'
import { refuseNotInUse } from '../store-identity.ts'

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
  '0010-click-dimensions': clickDimensions,
  '0011-workspaces': workspaces,
  '0012-domains': domains,
  '0013-link-options': linkOptions,
  '0014-labels-and-views': labelsAndViews,
  '0015-links-by-time': linksByTime,
  '0016-teams': teams,
  '0017-domain-looks': domainLooks,
  '0018-click-extras': clickExtras,
  '0019-kept-keys': keptKeys,
  '0020-group-workspaces': groupWorkspaces,
  '0021-counted-reports': countedReports,
  '0022-operator-keys': operatorKeys,
  '0023-missing-clicks': missingClicks,
  '0024-destination-hash': destinationHash,
  '0025-private-findings': privateFindings,
  '0026-limits-of-clicked-links': limitsOfClickedLinks,
  '0027-searches-without-accents': searchesWithoutAccents,
  '0028-last-workspace': lastWorkspace,
  '0029-link-qr-style': linkColumn('qr_style', 'text'),
}

/** PostgreSQL came later: its first makes what SQLite's first four do. What comes after them comes on both. */
export const POSTGRES_MIGRATIONS: Migrations = {
  '0001-foundation': postgresFoundation,
  '0002-store-move': postgresStoreMove,
  '0003-hours-of-link-days': hoursOfLinkDays,
  '0004-key-hints': keyHints,
  '0005-codes-in-search': postgresCodesInSearch,
  '0006-link-referrers': postgresLinkReferrers,
  '0007-route-triggers': routeTriggers,
  '0008-click-dimensions': postgresClickDimensions,
  '0009-workspaces': postgresWorkspaces,
  '0010-domains': postgresDomains,
  '0011-link-options': postgresLinkOptions,
  '0012-labels-and-views': postgresLabelsAndViews,
  '0013-links-by-destination': postgresLinksByDestination,
  '0014-teams': postgresTeams,
  '0015-domain-looks': domainLooks,
  '0016-click-extras': clickExtras,
  '0017-kept-keys': keptKeys,
  '0018-group-workspaces': postgresGroupWorkspaces,
  '0019-counted-reports': countedReports,
  '0020-operator-keys': operatorKeys,
  '0021-missing-clicks': missingClicks,
  '0022-channels-of-schemas': channelsOfSchemas,
  '0023-destination-hash': postgresDestinationHash,
  '0024-private-findings': privateFindings,
  '0025-limits-of-clicked-links': postgresLimitsOfClickedLinks,
  '0026-searches-without-accents': postgresSearchesWithoutAccents,
  '0027-last-workspace': postgresLastWorkspace,
  '0028-link-qr-style': linkColumn('qr_style', 'text'),
}

/**
 * Brings the tables up to this version, once however many processes start together. Another program's, a newer version's
 * and those that are no longer, or not yet, the store's are refused and left as they are.
 */
export async function migrate(
  db: Kysely<any>,
  migrations: Migrations,
  log: Pick<Log, 'info'> = SILENT,
): Promise<void> {
  const schema = await schemaOf(db)
  const tables = await refuseForeignAndNewer(db, migrations, schema)
  if (tables.includes('store_identity')) await refuseNotInUse(db)
  const pending = tables.length === 0 ? [] : await pendingMigrations(db, migrations)
  const announced = withAnnouncements(migrations, pending, log)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => announced },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
  const { error } = await withoutForeignKeys(db, () => migrator.migrateToLatest())
  if (error !== undefined) throw new Error('Could not migrate the store.', { cause: error })
  if (pending.length > 0) log.info('The database is migrated.')
}

/** The same refusals for commands that only read, and one for tables that the next start would migrate. */
export async function refuseUnmigrated(db: Kysely<any>, migrations: Migrations): Promise<void> {
  const tables = await refuseForeignAndNewer(db, migrations, await schemaOf(db))
  if (tables.includes('store_identity')) await refuseNotInUse(db)
  const pending = tables.length === 0 ? [] : await pendingMigrations(db, migrations)
  if (tables.length > 0 && pending.length === 0) return
  throw new UnmigratedStore(
    'This command only reads, and the database must be migrated first. Start the server, which migrates it, then run this command again.',
  )
}

const SILENT = { info() {} }

async function pendingMigrations(db: Kysely<any>, migrations: Migrations): Promise<string[]> {
  const applied = await db.selectFrom('kysely_migration').select('name').execute()
  const names = new Set(applied.map(({ name }) => String(name)))
  return Object.keys(migrations).filter((name) => !names.has(name))
}

/** Says which one begins, and how many there are: a large database can take minutes. */
const withAnnouncements = (
  migrations: Migrations,
  pending: readonly string[],
  log: Pick<Log, 'info'>,
): Migrations => ({
  ...migrations,
  ...Object.fromEntries(
    pending.map((name, index) => {
      const up: Migration['up'] = async (db) => {
        log.info('Migrating the database.', { migration: name, step: `${index + 1} of ${pending.length}` })
        await migrations[name]!.up(db)
      }
      return [name, { up }]
    }),
  ),
})

/**
 * SQLite changes much of a table only by making it again. While it enforces foreign keys, dropping the old one would look
 * for rows that refer to each of its rows. That can be changed only outside of a transaction.
 */
async function withoutForeignKeys<Value>(db: Kysely<any>, work: () => Promise<Value>): Promise<Value> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return work()
  await sql`PRAGMA foreign_keys = OFF`.execute(db)
  try {
    return await work()
  } finally {
    await sql`PRAGMA foreign_keys = ON`.execute(db)
  }
}

/** On PostgreSQL, where the tables are: other schemas of the database may belong to others. */
async function schemaOf(db: Kysely<any>): Promise<string | undefined> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return undefined
  const { rows } = await sql<{ schema: string | null }>`SELECT current_schema() AS schema`.execute(db)
  return rows[0]!.schema ?? undefined
}

/** Gives the names of all tables. */
async function refuseForeignAndNewer(
  db: Kysely<any>,
  migrations: Migrations,
  schema: string | undefined,
): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const names = tables
    .filter((table) => schema === undefined || table.schema === schema)
    .map(({ name }) => name)
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

/** Thrown by commands that only read when the tables are not yet those of this version. */
export class UnmigratedStore extends Error {}

/** Thrown when the store belongs to a later version of Tern. */
export class NewerStore extends Error {}
