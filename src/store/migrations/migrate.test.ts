import { kyselyOf } from '../handles.ts'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { migrate, SQLITE_MIGRATIONS, NewerStore } from './migrate.ts'
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts'
import type { Store } from '../open-store.ts'

const folders = temporaryFolders()
let store: Store

beforeEach(async () => {
  store = await openSqliteStore(folders.make(), 'same-thread')
})

afterEach(async () => {
  await store.close()
  folders.remove()
})

async function contents() {
  const schema = await sql`SELECT type, name, sql FROM sqlite_schema ORDER BY name`.execute(store.db)
  const migrations = await sql`SELECT * FROM kysely_migration`.execute(store.db)
  return [schema.rows, migrations.rows]
}

/** What the store of the test has done already. */
const done = Object.fromEntries(Object.keys(SQLITE_MIGRATIONS).map((name) => [name, { up: async () => {} }]))
const making = (table: string) => ({
  up: (db: Kysely<unknown>) => sql`CREATE TABLE ${sql.table(table)} (id INTEGER)`.execute(db).then(() => {}),
})

describe('migrating', () => {
  test('again changes nothing', async () => {
    const before = await contents()
    await migrate(kyselyOf(store.db), SQLITE_MIGRATIONS)
    expect(await contents()).toEqual(before)
  })

  test('does only what is new', async () => {
    await migrate(kyselyOf(store.db), { ...done, '9002-more': making('more') })
    await migrate(kyselyOf(store.db), { ...done, '9002-more': making('more'), '9003-much': making('much') })
    const tables = await sql`SELECT name FROM sqlite_schema WHERE name IN ('more', 'much')`.execute(store.db)
    expect(tables.rows).toEqual([{ name: 'more' }, { name: 'much' }])
  })

  test('says which migration begins, and of how many, once', async () => {
    const lines: unknown[] = []
    const log = { info: (message: string, fields?: object) => void lines.push([message, fields]) }
    const migrations = { ...done, '9002-more': making('more'), '9003-much': making('much') }
    await migrate(kyselyOf(store.db), migrations, log)
    await migrate(kyselyOf(store.db), migrations, log)
    expect(lines).toEqual([
      ['Migrating the database.', { migration: '9002-more', step: '1 of 2' }],
      ['Migrating the database.', { migration: '9003-much', step: '2 of 2' }],
      ['The database is migrated.', undefined],
    ])
  })

  test('that fails says why and leaves nothing behind, nor what came before it in the same start', async () => {
    const before = await contents()
    const failing = {
      async up(db: Kysely<unknown>) {
        await making('half').up(db)
        await sql`CREATE TABLE broken (`.execute(db)
      },
    }
    const migrations = { ...done, '9002-more': making('more'), '9003-broken': failing }
    const failure = await migrate(kyselyOf(store.db), migrations).catch((error: Error) => error)
    expect(failure).toMatchObject({
      message: 'Could not migrate the store.',
      cause: { message: expect.stringContaining('incomplete input') },
    })
    expect(await contents()).toEqual(before)
    await migrate(kyselyOf(store.db), { ...done, '9002-more': making('more') })
  })

  test('refuses what a newer version has done, and does none of its own', async () => {
    await migrate(kyselyOf(store.db), { ...done, '9003-later': making('later') })
    const before = await contents()
    const refused = migrate(kyselyOf(store.db), { ...done, '9002-ours': making('ours') })
    await expect(refused).rejects.toBeInstanceOf(NewerStore)
    expect(await contents()).toEqual(before)
  })
})
