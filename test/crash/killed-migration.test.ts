import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { Kysely } from 'kysely'
import { databaseFaults } from '../../src/store/database-copy.ts'
import { migrate, POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from '../../src/store/migrate.ts'
import { storePath } from '../../src/store/open-sqlite-store.ts'
import { openSqliteFile } from '../../src/store/sqlite-file.ts'
import { openStore, type StorePlace } from '../../src/store/open-store.ts'
import { postgresDialect } from '../../src/store/postgres-dialect.ts'
import { PostgresPool } from '../../src/store/postgres-pool.ts'
import { sqliteDialect } from '../../src/store/sqlite-dialect.ts'
import { SqliteWriter } from '../../src/store/sqlite-writer.ts'
import { KILLS, nthOf } from '../rigs/kills.ts'
import { runScript, startScript } from '../rigs/run-script.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { enginesToTest, testPostgres } from '../rigs/test-store.ts'

/** Two are enough for tables that have rows; all later ones change or add to them. */
const OLD_MIGRATIONS = 2
const OLD_ROWS = [
  `INSERT INTO accounts (name, email, password_hash, plan, subscription_status, created_at)
    VALUES ('Ann', 'ann@example.com', 'x', 'free', 'active', 1)`,
  `INSERT INTO codes (code, account_id) VALUES ('old', 1)`,
  `INSERT INTO links (account_id, code, svc_id, original_url, title, is_active, created_at, updated_at)
    VALUES (1, 'old', 'svc_1', 'https://example.com/', 'Old', 1, 1, 1)`,
  `INSERT INTO link_texts (link_id, account_id, text) VALUES (1, 1, 'old')`,
]

const folders = temporaryFolders()
afterAll(() => folders.remove())

/** A store of an engine, to be brought up to date from nothing or from an old version. */
type Stage = {
  make(): Promise<StorePlace>
  /** All tables, columns and indexes, as texts. */
  schemaOf(place: StorePlace): Promise<unknown>
  /** Which of the statements is the first of what is to be changed all at once, and which the last. */
  isFirst: RegExp
  isLast: RegExp
}

const oldest = <Migrations extends object>(migrations: Migrations) =>
  Object.fromEntries(Object.entries(migrations).slice(0, OLD_MIGRATIONS))

async function sqliteStage(isOld: boolean): Promise<Stage> {
  const template = folders.make()
  if (isOld) {
    const database = openSqliteFile(storePath(template))
    const db = new Kysely({ dialect: sqliteDialect(new SqliteWriter(database), 'full') })
    await migrate(db, oldest(SQLITE_MIGRATIONS))
    for (const statement of OLD_ROWS) database.run(statement)
    database.close()
  }
  return {
    isFirst: /^BEGIN IMMEDIATE/,
    isLast: /^COMMIT/,
    async make() {
      const dataDir = folders.make()
      if (isOld) copyFileSync(storePath(template), storePath(dataDir))
      return { dataDir }
    },
    async schemaOf({ dataDir }) {
      const database = new Database(storePath(dataDir), { readonly: true })
      const schema = database.query('SELECT type, name, sql FROM sqlite_schema ORDER BY name').values()
      expect(databaseFaults(database, 'integrity_check')).toEqual([])
      database.close()
      return schema
    },
  }
}

async function postgresStage(isOld: boolean): Promise<Stage> {
  const server = await testPostgres()
  const template = await server.makeDatabase()
  if (isOld) {
    const settings = { url: template, connectionsMax: 1, statementMsMax: 10_000 }
    const pool = new PostgresPool({ ...settings, synchronousCommit: 'on' })
    await migrate(new Kysely({ dialect: postgresDialect(pool) }), oldest(POSTGRES_MIGRATIONS))
    await pool.close()
    for (const statement of OLD_ROWS) await server.run(statement, nameOf(template))
  }
  return {
    isFirst: /^BEGIN/,
    isLast: /^COMMIT/,
    async make() {
      return { dataDir: folders.make(), databaseUrl: await server.makeDatabase(nameOf(template)) }
    },
    async schemaOf({ databaseUrl }) {
      // But for the migrator's own tables, which it makes first.
      const schema = `SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS line
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%'
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'
        ORDER BY 1`
      return server.run(schema, nameOf(databaseUrl!))
    },
  }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

const start = ({ dataDir, databaseUrl = '' }: StorePlace, nth: number) =>
  ['killed-migration.script.ts', dataDir, databaseUrl, String(nth)] as const

/** The statements between which everything happens or nothing, by their place. */
async function middleOf(stage: Stage): Promise<{ from: number; count: number }> {
  const calls: string[] = JSON.parse(await runScript(...start(await stage.make(), 0)))
  // Before it, the migrator makes tables of its own.
  const first = calls.findLastIndex((call) => stage.isFirst.test(call))
  const last = calls.findLastIndex((call) => stage.isLast.test(call))
  // Killed right before a statement: before the one behind the first, and up to before the last.
  return { from: first + 2, count: last - first }
}

async function linksOf(place: StorePlace): Promise<string[]> {
  const store = await openStore(place, 'same-thread')
  try {
    return (await store.db.selectFrom('links').select('title').execute()).map(({ title }) => title)
  } finally {
    await store.close()
  }
}

describe.each(enginesToTest('killed migrations'))('on %s', (engine) => {
  test(`a store that is killed, ${KILLS} times in the middle of being brought up to date, is what it was, and is finished by the next`, async () => {
    let hits = 0
    for (const isOld of [false, true]) {
      const stage = await (engine === 'sqlite' ? sqliteStage : postgresStage)(isOld)
      const whole = await stage.make()
      const before = await stage.schemaOf(whole).catch(() => 'no file')
      const links = isOld ? ['Old'] : []
      expect(await linksOf(whole)).toEqual(links)
      const schema = await stage.schemaOf(whole)
      const { from, count } = await middleOf(stage)
      expect(count).toBeGreaterThan(10)
      for (let round = 0; round < KILLS / 2; round++) {
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
