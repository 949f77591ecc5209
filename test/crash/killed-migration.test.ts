import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { Kysely } from 'kysely'
import { databaseErrors } from '../../src/store/sqlite/database-copy.ts'
import { migrate, POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from '../../src/store/migrations/migrate.ts'
import { storePath } from '../../src/store/sqlite/open-sqlite-store.ts'
import { openSqliteFile } from '../../src/store/sqlite/sqlite-file.ts'
import { openStore, type StoreLocation } from '../../src/store/open-store.ts'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import { PostgresPool } from '../../src/store/postgres/postgres-pool.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { SqliteWriter } from '../../src/store/sqlite/sqlite-writer.ts'
import { KILLS, nthOf } from '../rigs/kills.ts'
import { runScript, startScript } from '../rigs/run-script.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { enginesToTest, testPostgres } from '../rigs/test-store.ts'

const LINK_ROWS = [
  `INSERT INTO accounts (name, email, password_hash, plan, subscription_status, created_at)
    VALUES ('Ann', 'ann@example.com', 'x', 'free', 'active', 1)`,
  `INSERT INTO codes (code, account_id) VALUES ('old', 1)`,
  `INSERT INTO links (account_id, code, svc_id, original_url, title, is_active, created_at, updated_at)
    VALUES (1, 'old', 'svc_1', 'https://example.com/', 'Old', 1, 1, 1)`,
  `INSERT INTO link_texts (link_id, account_id, text) VALUES (1, 1, 'old')`,
]

const CLICK_ROWS = [
  `INSERT INTO sessions (account_id, token_hash, device, created_at, last_used_at) VALUES (1, 'a', 'Firefox', 1, 1)`,
  `INSERT INTO api_keys (account_id, name, key_hash, scopes, created_at) VALUES (1, 'Key', 'b', '[]', 1)`,
  `INSERT INTO account_link_counts VALUES (1, 0, 1, 1)`,
  `INSERT INTO audiences (country, device, browser, os, referrer) VALUES ('DE', 'mobile', 'Firefox', 'Android', '')`,
  `INSERT INTO link_hours VALUES (1, 500000, 1, 3, 2, 0)`,
  `INSERT INTO link_totals VALUES (1, 1, 3, 2, 0, 1)`,
  `INSERT INTO account_totals VALUES (1, 3, 2, 0, 1)`,
  `INSERT INTO account_hours VALUES (1, 'total', 500000, '', 3, 2, 0), (1, 'country', 500000, 'DE', 3, 2, 0)`,
]

/** What a store is before it is migrated. `through`: the last migration that it has. */
const BEFORE = {
  empty: { through: undefined, rows: [], links: [] },
  'of the first version': {
    through: { sqlite: '0002-code-log', postgres: '0002-store-move' },
    rows: LINK_ROWS,
    links: [['Old', null]],
  },
  'of version 0.1': {
    through: { sqlite: '0009-link-referrers', postgres: '0006-link-referrers' },
    rows: [...LINK_ROWS, ...CLICK_ROWS],
    links: [['Old', 3]],
  },
} as const
type Before = (typeof BEFORE)[keyof typeof BEFORE]

const folders = temporaryFolders()
afterAll(() => folders.remove())

/** A store to migrate, empty or of an old version. */
type Stage = {
  make(): Promise<StoreLocation>
  /** All tables, columns and indexes, as texts. */
  schemaOf(place: StoreLocation): Promise<unknown>
  /** The first and the last statement of the migration's transaction. */
  isFirst: RegExp
  isLast: RegExp
}

const upTo = <Migrations extends object>(migrations: Migrations, last: string) =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last))

async function sqliteStage({ through, rows }: Before): Promise<Stage> {
  const template = folders.make()
  if (through !== undefined) {
    const database = openSqliteFile(storePath(template))
    const db = new Kysely({ dialect: sqliteDialect(new SqliteWriter(database), 'full') })
    await migrate(db, upTo(SQLITE_MIGRATIONS, through.sqlite))
    for (const statement of rows) database.run(statement)
    database.close()
  }
  return {
    isFirst: /^BEGIN IMMEDIATE/,
    isLast: /^COMMIT/,
    async make() {
      const dataDir = folders.make()
      if (through !== undefined) copyFileSync(storePath(template), storePath(dataDir))
      return { dataDir }
    },
    async schemaOf({ dataDir }) {
      const database = new Database(storePath(dataDir), { readonly: true })
      const schema = database.query('SELECT type, name, sql FROM sqlite_schema ORDER BY name').values()
      expect(databaseErrors(database, 'integrity_check')).toEqual([])
      database.close()
      return schema
    },
  }
}

async function postgresStage({ through, rows }: Before): Promise<Stage> {
  const server = await testPostgres()
  const template = await server.makeDatabase()
  if (through !== undefined) {
    const settings = { url: template, connectionsMax: 1, statementMsMax: 10_000 }
    const pool = new PostgresPool({ ...settings, synchronousCommit: 'on' })
    await migrate(new Kysely({ dialect: postgresDialect(pool) }), upTo(POSTGRES_MIGRATIONS, through.postgres))
    await pool.close()
    for (const statement of rows) await server.run(statement, nameOf(template))
  }
  return {
    isFirst: /^BEGIN/,
    isLast: /^COMMIT/,
    async make() {
      return { dataDir: folders.make(), databaseUrl: await server.makeDatabase(nameOf(template)) }
    },
    async schemaOf({ databaseUrl }) {
      // Without the migrator's own tables, which it creates first.
      const schema = `SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS line
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%'
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'
        ORDER BY 1`
      return server.run(schema, nameOf(databaseUrl!))
    },
  }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

const start = ({ dataDir, databaseUrl = '' }: StoreLocation, nth: number) =>
  ['killed-migration.script.ts', dataDir, databaseUrl, String(nth)] as const

/** The statements of the transaction, by their numbers. */
async function middleOf(stage: Stage): Promise<{ from: number; count: number }> {
  const calls: string[] = JSON.parse(await runScript(...start(await stage.make(), 0)))
  // Before it, the migrator creates its own tables.
  const first = calls.findLastIndex((call) => stage.isFirst.test(call))
  const last = calls.findLastIndex((call) => stage.isLast.test(call))
  // Kills come right before a statement: from the second one up to the last.
  return { from: first + 2, count: last - first }
}

/** The title of each link, and its clicks. */
async function linksOf(place: StoreLocation): Promise<[string, number | null][]> {
  const store = await openStore(place, 'same-thread')
  try {
    const links = store.db.selectFrom('links').leftJoin('link_totals', 'link_id', 'links.id')
    return (await links.select(['title', 'clicks']).execute()).map(({ title, clicks }) => [title, clicks])
  } finally {
    await store.close()
  }
}

describe.each(enginesToTest('killed migrations'))('on %s', (engine) => {
  test(`a store that is killed, ${KILLS} times in the middle of being brought up to date, is what it was, and is finished by the next`, async () => {
    let hits = 0
    for (const was of Object.values(BEFORE)) {
      const stage = await (engine === 'sqlite' ? sqliteStage : postgresStage)(was)
      const whole = await stage.make()
      const before = await stage.schemaOf(whole).catch(() => 'no file')
      const links: [string, number | null][] = was.links.map(([title, clicks]) => [title, clicks])
      expect(await linksOf(whole)).toEqual(links)
      const schema = await stage.schemaOf(whole)
      const { from, count } = await middleOf(stage)
      expect(count).toBeGreaterThan(10)
      for (let round = 0; round < KILLS / 3; round++) {
        const place = await stage.make()
        const child = startScript(...start(place, from + nthOf(round * 7, count) - 1))
        const complaints = await child.stderr.text()
        await child.exited
        expect([child.signalCode, complaints]).toEqual(['SIGKILL', ''])
        hits++
        if (before !== 'no file') expect(await stage.schemaOf(place)).toEqual(before)
        expect(await linksOf(place)).toEqual(links)
        expect(await stage.schemaOf(place)).toEqual(schema)
      }
    }
    expect(hits).toBeGreaterThanOrEqual(KILLS)
    console.log(`migration on ${engine}: ${hits} kills in the middle`)
  }, 600_000)
})
