import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lacksPostgres } from '../../../test/rigs/store/postgres-server.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { testPostgres } from '../../../test/rigs/store/test-store.ts'
import { openPostgresStore } from '../postgres/open-postgres-store.ts'
import { openSqliteStore, storePath } from '../sqlite/open-sqlite-store.ts'
import type { Column } from './move-endpoint.ts'
import { MOVED_TABLES, NUMBERED_TABLES, orderOf } from './moved-tables.ts'
import { MoveConnection } from './move-connection.ts'
import { postgresRowReader } from './postgres-row-reader.ts'
import { sqliteRowReader } from './sqlite-rows.ts'

const folders = temporaryFolders()

let database: Database

beforeAll(openTables)
afterAll(closeTables)

describe('the tables that a move takes along', () => {
  test('are all that SQLite has, but for those that are left behind by intention', () => {
    const tables = database
      .query(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
          AND name NOT GLOB 'link_search_[cdi]*' ORDER BY name`,
      )
      .values()
      .flat()
    expect(tables).toEqual(KNOWN.filter((name) => !ONLY_ON_POSTGRES.includes(name)))
  })

  test('come in the order of their keys', () => {
    const withKey = MOVED_TABLES.filter((table) => keyOf(table).length > 0)
    expect(withKey.map((table) => [table, keyOf(table).join(', ')])).toEqual(
      withKey.map((table) => [table, orderOf(table)]),
    )
    expect(MOVED_TABLES.filter((table) => !withKey.includes(table))).toEqual(['click_progress'])
  })

  test('are numbered as SQLite numbers them', () => {
    const numbered = database
      .query(`SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%' ORDER BY name`)
      .values()
      .flat()
    expect(numbered).toEqual([...NUMBERED_TABLES].sort())
  })
})

describe.skipIf(lacksPostgres('moves between engines'))('on PostgreSQL', () => {
  let connection: MoveConnection

  beforeAll(async () => {
    const url = await (await testPostgres()).makeDatabase()
    await (await openPostgresStore({ url })).close()
    connection = await MoveConnection.open(url)
  })

  afterAll(() => connection.close())

  const names = async (query: string) =>
    (await connection.run<{ name: string }>(query)).map(({ name }) => name)

  test('the same tables are there, and no other', async () => {
    const tables = await names(
      `SELECT relname::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
        AND relnamespace = 'public'::regnamespace ORDER BY relname COLLATE "C"`,
    )
    expect(tables).toEqual(
      KNOWN.filter((name) => !name.startsWith('link_search') && !ONLY_ON_SQLITE.includes(name)),
    )
  })

  test('they have the same columns, holding the same', async () => {
    for (const table of MOVED_TABLES) {
      const columns = inOrder(await postgresRowReader(connection).columnsOf(table))
      expect([table, columns]).toEqual([table, inOrder(await sqliteRowReader(database).columnsOf(table))])
    }
  })

  test('they are numbered alike', async () => {
    const numbered = await names(
      `SELECT table_name::text AS name FROM information_schema.columns
        WHERE is_identity = 'YES' AND table_name <> 'changes' ORDER BY table_name COLLATE "C"`,
    )
    expect(numbered).toEqual([...NUMBERED_TABLES].sort())
  })
})

async function openTables(): Promise<void> {
  const folder = folders.make()
  await (await openSqliteStore(folder, 'same-thread')).close()
  database = new Database(storePath(folder))
}

function closeTables(): void {
  database.close()
  folders.remove()
}

const ONLY_ON_POSTGRES = ['changes', 'clickhouse_progress', 'clickhouse_deletions']
const ONLY_ON_SQLITE = ['click_files', 'redirect_state_changes']
/** Tables that stay behind, and why. */
const LEFT_TABLES: Record<string, string> = {
  store_identity: 'it is about the store itself',
  kysely_migration: 'each engine has migrations of its own',
  kysely_migration_lock: 'as kysely_migration',
  click_files: 'names files, on SQLite; the move reads their rows as those of clicks',
  changes: 'news for nodes that run, on PostgreSQL',
  clickhouse_progress: 'of clicks in ClickHouse, with which a store is not moved',
  clickhouse_deletions: 'as clickhouse_progress',
  link_search: 'an index, on SQLite; the server rebuilds it',
  link_search_progress: 'as link_search',
  redirect_state_changes: 'a number for the server that runs, on SQLite',
}

const KNOWN = [...MOVED_TABLES, ...Object.keys(LEFT_TABLES)].sort()

const keyOf = (table: string) =>
  database.query(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`).values(table).flat()

/** In one order. */
const inOrder = (columns: Column[]) => columns.map(({ name, holds }) => `${name} ${holds}`).sort()
