import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openStore, type StoreLocation } from '../../../src/store/open-store.ts'
import { databaseErrors } from '../../../src/store/sqlite/database-copy.ts'
import { storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { KILLS, nthOf } from '../../rigs/program/kills.ts'
import { postgresSchema } from '../../rigs/store/postgres-schema.ts'
import { runScript, startScript } from '../../rigs/program/run-script.ts'
import { useSharedFolders } from '../../rigs/use-rig.ts'
import { type Engine, enginesToTest, testPostgres } from '../../rigs/store/test-store.ts'
import { openUpgraded } from '../../rigs/store/upgraded-store.ts'

const folders = useSharedFolders()

describe.each(enginesToTest('killed migrations'))('on %s', (engine) => {
  test.each([
    ['an empty database', emptyPlace, []],
    ['a store with a link', filledPlace, ['Old!']],
  ])(
    `%s, killed ${KILLS / 2} times in the middle of migrations, has each whole or not at all, and the next start finishes`,
    async (_, make, titles) => {
      const untilNow = await schemaOf(await filledPlace(engine))
      const before = make === emptyPlace ? '' : untilNow
      const whole = await make(engine)
      expect(await titlesAfterUpgrade(whole)).toEqual(titles)
      const after = await schemaOf(whole)
      const { from, count } = await middleOf(await make(engine))
      expect(count).toBeGreaterThan(5)
      for (let round = 0; round < KILLS / 2; round++) {
        const place = await make(engine)
        const child = startScript(...script(place, from + nthOf(round * 7, count) - 1))
        const complaints = await child.stderr.text()
        await child.exited
        expect([child.signalCode, complaints]).toEqual(['SIGKILL', ''])
        expect([before, untilNow]).toContain(await schemaOf(place))
        expect(await titlesAfterUpgrade(place)).toEqual(titles)
        expect(await schemaOf(place)).toEqual(after)
      }
    },
    600_000,
  )
})

async function emptyPlace(engine: Engine): Promise<StoreLocation> {
  const dataDir = folders.make()
  return engine === 'sqlite'
    ? { dataDir }
    : { dataDir, databaseUrl: await (await testPostgres()).makeDatabase() }
}

/** A store of this version with a link. */
async function filledPlace(engine: Engine): Promise<StoreLocation> {
  const place = await emptyPlace(engine)
  const store = await openStore(place, 'same-thread')
  await sql`INSERT INTO workspaces (name, plan, subscription_status, created_at)
    VALUES ('Ann', 'free', 'active', 1)`.execute(store.db)
  await sql`INSERT INTO links (workspace_id, code, svc_id, original_url, title, is_active, created_at, updated_at)
    VALUES (1, 'old', 'svc_1', 'https://example.com/', 'Old', 1, 1, 1)`.execute(store.db)
  await store.close()
  return place
}

/** All tables, columns, indexes and triggers but the migrator's own, which it creates first. */
async function schemaOf({ dataDir, databaseUrl }: StoreLocation): Promise<string> {
  if (databaseUrl !== undefined) return postgresSchema(databaseUrl)
  const database = new Database(storePath(dataDir), { readonly: true })
  const statements = database
    .query(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'kysely%' ORDER BY name`,
    )
    .values()
  expect(databaseErrors(database, 'integrity_check')).toEqual([])
  database.close()
  return statements.join('\n')
}

async function titlesAfterUpgrade(place: StoreLocation): Promise<string[]> {
  const store = await openUpgraded(place)
  const links = await store.db.selectFrom('links').select('title').execute()
  await store.close()
  return links.map(({ title }) => title)
}

const script = ({ dataDir, databaseUrl = '' }: StoreLocation, nth: number) =>
  ['killed-migration.script.ts', dataDir, databaseUrl, String(nth)] as const

/** The statements from the beginning of the first transaction to the end of the last one, by their numbers. */
async function middleOf(place: StoreLocation): Promise<{ from: number; count: number }> {
  const calls: string[] = JSON.parse(await runScript(...script(place, 0)))
  const first = calls.findIndex((call) => call.startsWith('BEGIN'))
  const last = calls.findLastIndex((call) => call.startsWith('COMMIT'))
  // Kills come right before a statement: from the second one up to the last.
  return { from: first + 2, count: last - first }
}
