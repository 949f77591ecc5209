import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { useFolders } from '../../test/rigs/use-rig.ts'
import { enginesToTest, openTestStore, testPlace } from '../../test/rigs/store/test-store.ts'
import { kyselyOf } from './handles.ts'
import { MissingStore } from './missing-store.ts'
import { UnmigratedStore } from './migrations/migrate.ts'
import { EarlyStore } from './migrations/migrations.ts'
import { openReadOnly } from './open-read-only.ts'
import type { StoreLocation } from './open-store.ts'
import { withTables } from './with-tables.ts'

const folders = useFolders()

describe.each(enginesToTest('commands that only read'))('a command that only reads, on %s', (engine) => {
  async function storeWith(...changes: ReturnType<typeof sql>[]): Promise<StoreLocation> {
    const dataDir = folders.make()
    const store = await openTestStore(dataDir, engine)
    for (const change of changes) await change.execute(store.db)
    await store.close()
    return testPlace(dataDir, engine)
  }

  test('gets the tables of this version', async () => {
    expect(await read(await storeWith())).toEqual([])
  })

  test.each([
    ['a start would migrate', sql`DELETE FROM kysely_migration`, UnmigratedStore],
    [
      'an early version made',
      sql`UPDATE kysely_migration SET name = '0001-foundation' WHERE name = '0001-first'`,
      EarlyStore,
    ],
  ])('refuses a database that %s, and leaves it as it is', async (_, change, refusal) => {
    const place = await storeWith(change)
    const before = await contentsOf(place)
    expect(await read(place).catch((error) => error)).toBeInstanceOf(refusal)
    expect(await contentsOf(place)).toEqual(before)
  })

  test('refuses one that was moved away', async () => {
    const place = await storeWith(
      sql`UPDATE store_identity SET moved_to = 'x', moved_place = 'sqlite:/elsewhere', moved_at = 1`,
    )
    expect(read(place)).rejects.toThrow('This store was moved to sqlite:/elsewhere')
  })
})

test('a command that only reads refuses a folder without a database', async () => {
  expect(await read({ dataDir: folders.make() }).catch((error) => error)).toBeInstanceOf(MissingStore)
})

async function contentsOf(place: StoreLocation): Promise<unknown> {
  const { db, close } = openReadOnly(place)
  const tables = await kyselyOf(db).introspection.getTables({ withInternalKyselyTables: true })
  const migrations = await sql`SELECT * FROM kysely_migration`.execute(db)
  await close()
  return [tables, migrations.rows]
}

const read = (place: StoreLocation) =>
  withTables(place, (db) => db.selectFrom('links').select('id').execute())
