import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { makeStoreBefore } from '../../test/rigs/store-before.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest } from '../../test/rigs/test-store.ts'
import { MissingStore } from './missing-store.ts'
import { UnmigratedStore } from './migrations/migrate.ts'
import { openReadOnly } from './open-read-only.ts'
import { openStore, type StoreLocation } from './open-store.ts'
import { withTables } from './with-tables.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

async function migrationsOf(place: StoreLocation): Promise<unknown[]> {
  const { db, close } = openReadOnly(place)
  const { rows } = await sql`SELECT * FROM kysely_migration ORDER BY name`.execute(db)
  await close()
  return rows
}

const read = (place: StoreLocation) =>
  withTables(place, (db) => db.selectFrom('links').select('id').execute())

describe.each(enginesToTest('commands that only read'))('a command that only reads, on %s', (engine) => {
  test('refuses a database that a start would migrate, and leaves it as it is', async () => {
    const place = await makeStoreBefore(
      { dataDir: folders.make(), engine, migration: '-missing-clicks' },
      async () => {},
    )
    const before = await migrationsOf(place)
    expect(await read(place).catch((error) => error)).toBeInstanceOf(UnmigratedStore)
    expect(await migrationsOf(place)).toEqual(before)

    await (await openStore(place, 'same-thread')).close()
    expect(await read(place)).toEqual([])
  })

  test('refuses one that was moved away', async () => {
    const place = await makeStoreBefore(
      { dataDir: folders.make(), engine, migration: '-missing-clicks' },
      async (db) => {
        const moved = { moved_to: 'x', moved_place: 'sqlite:/elsewhere', moved_at: 1 }
        await db.updateTable('store_identity').set(moved).execute()
      },
    )
    expect(read(place)).rejects.toThrow('This store was moved to sqlite:/elsewhere')
  })
})

test('a command that only reads refuses a folder without a database', async () => {
  expect(await read({ dataDir: folders.make() }).catch((error) => error)).toBeInstanceOf(MissingStore)
})
