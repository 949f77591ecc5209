import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { enginesToTest, useTestStore } from '../../../test/rigs/store/test-store.ts'
import type { Log } from '../../runtime/log.ts'
import { kyselyOf } from '../handles.ts'
import { migrate } from './migrate.ts'
import { EarlyStore, MIGRATIONS, type Migrations, NewerStore } from './migrations.ts'

/** The same statements on both engines. */
const onBoth = (...statements: string[]) => ({ sqlite: statements, postgres: statements })
const MORE = { ...MIGRATIONS, '9002-more': onBoth('CREATE TABLE more (id INTEGER)') }
const MUCH = { ...MORE, '9003-much': onBoth('CREATE TABLE much (id INTEGER)') }

describe.each(enginesToTest('migrations'))('migrating on %s', (engine) => {
  const store = useTestStore(engine)

  test('again changes nothing', async () => {
    const before = await contents()
    await run(MIGRATIONS)
    expect(await contents()).toEqual(before)
  })

  test('does only what is new', async () => {
    await run(MORE)
    const { tables } = await contents()
    await run(MUCH)
    expect((await contents()).tables).toEqual([...tables, 'much'].sort())
  })

  test('says which migration begins, and of how many, once', async () => {
    const lines: unknown[] = []
    const log = { info: (message: string, fields?: object) => void lines.push([message, fields]) }
    await run(MUCH, log)
    await run(MUCH, log)
    expect(lines).toEqual([
      ['Migrating the database.', { migration: '9002-more', step: '1 of 2' }],
      ['Migrating the database.', { migration: '9003-much', step: '2 of 2' }],
      ['The database is migrated.', undefined],
    ])
  })

  test('that fails says why and leaves nothing behind, nor what came before it in the same start', async () => {
    const before = await contents()
    const broken = onBoth('CREATE TABLE half (id INTEGER)', 'CREATE TABLE broken (')
    const failure = await run({ ...MORE, '9003-broken': broken }).catch((error: Error) => error)
    expect(failure).toMatchObject({
      message: 'Could not migrate the store.',
      cause: { message: expect.stringMatching(/incomplete input|syntax error at end of input/) },
    })
    expect(await contents()).toEqual(before)
    await run(MORE)
  })

  test('refuses what a newer version has done, and does none of its own', async () => {
    await run({ ...MIGRATIONS, '9003-later': onBoth('CREATE TABLE later (id INTEGER)') })
    const before = await contents()
    const refused = run(MORE)
    await expect(refused).rejects.toBeInstanceOf(NewerStore)
    await expect(refused).rejects.toThrow('The data was written by a newer Tern (it has 9003-later).')
    expect(await contents()).toEqual(before)
  })

  test('refuses a store of an early version, and changes nothing', async () => {
    await sql`DELETE FROM kysely_migration`.execute(store.db)
    await sql`INSERT INTO kysely_migration VALUES ('0001-foundation', '1'), ('0002-code-log', '2')`.execute(
      store.db,
    )
    const before = await contents()
    const refused = run(MORE)
    await expect(refused).rejects.toBeInstanceOf(EarlyStore)
    await expect(refused).rejects.toThrow(
      /^The data was written by an early Tern, and this version cannot upgrade it\. The last commit that upgrades and opens it is [0-9a-f]{12}; nothing was changed\.$/,
    )
    expect(await contents()).toEqual(before)
  })

  const run = (migrations: Migrations, log = SILENT) => migrate(kyselyOf(store.db), log, migrations)

  async function contents() {
    const tables = await kyselyOf(store.db).introspection.getTables({ withInternalKyselyTables: true })
    const { rows } = await sql`SELECT * FROM kysely_migration ORDER BY name`.execute(store.db)
    return { tables: tables.map(({ name }) => name).sort(), migrations: rows }
  }
})

const sqliteStore = useTestStore('sqlite')

test('on SQLite, a migration makes a table again that rows of others refer to', async () => {
  await migrate(kyselyOf(sqliteStore.db), SILENT, {
    ...MIGRATIONS,
    '9002-owners': onBoth(
      'CREATE TABLE owners (id INTEGER PRIMARY KEY)',
      'CREATE TABLE things (owner_id INTEGER REFERENCES owners (id) ON DELETE CASCADE)',
      'INSERT INTO owners VALUES (1)',
      'INSERT INTO things VALUES (1)',
    ),
    '9003-names': onBoth(
      'CREATE TABLE new_owners (id INTEGER PRIMARY KEY, name TEXT)',
      'INSERT INTO new_owners (id) SELECT id FROM owners',
      'DROP TABLE owners',
      'ALTER TABLE new_owners RENAME TO owners',
    ),
  })
  expect((await sql`SELECT * FROM things`.execute(sqliteStore.db)).rows).toEqual([{ owner_id: 1 }])
  const orphan = sql`INSERT INTO things VALUES (404)`.execute(sqliteStore.db)
  await expect(orphan).rejects.toThrow('FOREIGN KEY constraint failed')
})

const SILENT: Pick<Log, 'info'> = { info() {} }
