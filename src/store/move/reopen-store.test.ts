import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { move } from '../../../test/rigs/store/move-rig.ts'
import { lacksPostgres } from '../../../test/rigs/store/postgres-server.ts'
import { contentsOf, fillEveryTable } from '../../../test/rigs/store/store-contents.ts'
import { useSharedFolders } from '../../../test/rigs/use-rig.ts'
import { testPostgres } from '../../../test/rigs/store/test-store.ts'
import { storePath } from '../sqlite/open-sqlite-store.ts'
import { openStore, type Store } from '../open-store.ts'
import { UnfinishedMove } from '../store-identity.ts'
import { type MoveLocation, nameOf } from './move-location.ts'
import { reopenStore } from './reopen-store.ts'

const folders = useSharedFolders()

describe.skipIf(lacksPostgres('moves between engines'))('a store that was moved away', () => {
  test.each(['sqlite', 'postgres'] as const)('is as it was when it is used again: %s', async (engine) => {
    const from = engine === 'sqlite' ? sqlitePlace() : await postgresPlace()
    const to = engine === 'sqlite' ? await postgresPlace() : sqlitePlace()
    await within(from, ({ db }) => fillEveryTable(db))
    const before = await within(from, ({ db }) => contentsOf(db))
    const schema = from.engine === 'sqlite' ? schemaOf(from.dataDir) : []
    await expect(reopenStore(from, [])).rejects.toThrow('was not moved away. Nothing was changed.')
    await move(from, to)
    expect(await reopenStore(from, ['sessions', 'invitations'])).toBe(nameOf(to))
    await within(from, async ({ db }) => {
      expect(await contentsOf(db)).toEqual(
        before.map(([table, rows]) => [table, ['sessions', 'invitations'].includes(table) ? [] : rows]),
      )
      await db.insertInto('seen_visits').values({ visit: 5 }).execute()
    })
    if (from.engine === 'sqlite') expect(schemaOf(from.dataDir)).toEqual(schema)
    await expect(reopenStore(from, [])).rejects.toThrow('was not moved away')
  })

  test('into a target that was never finished leaves that one refused, and is moved again', async () => {
    const [from, to] = [sqlitePlace(), await postgresPlace()]
    await within(from, ({ db }) => fillEveryTable(db))
    await move(from, to)
    // As when the move was killed between its two marks.
    const { url } = to as { url: string }
    const server = await testPostgres()
    const mark = (from as { dataDir: string }).dataDir
    const database = new Database(storePath(mark), { readonly: true })
    const id = database.query('SELECT id FROM store_identity').values()[0]![0]
    database.close()
    await server.run(`UPDATE store_identity SET filled_from = '${id}'`, new URL(url).pathname.slice(1))
    await reopenStore(from, [])
    await within(from, ({ db }) => db.insertInto('seen_visits').values({ visit: 5 }).execute())
    await expect(opened(to)).rejects.toBeInstanceOf(UnfinishedMove)
    await move(from, to)
    const visits = await within(to, ({ db }) => db.selectFrom('seen_visits').select('visit').execute())
    expect(visits.map(({ visit }) => visit)).toContain(5)
  })
})

const sqlitePlace = (): MoveLocation => ({ engine: 'sqlite', dataDir: folders.make() })
const postgresPlace = async (): Promise<MoveLocation> => ({
  engine: 'postgres',
  url: await (await testPostgres()).makeDatabase(),
})

const opened = (location: MoveLocation): Promise<Store> =>
  openStore(
    location.engine === 'sqlite' ? { dataDir: location.dataDir } : { dataDir: '', databaseUrl: location.url },
    'same-thread',
  )

async function within<Result>(
  location: MoveLocation,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await opened(location)
  return work(store).finally(() => store.close())
}

/** Triggers and all. */
const schemaOf = (dataDir: string) => {
  const database = new Database(storePath(dataDir), { readonly: true })
  const rows = database.query('SELECT name, sql FROM sqlite_schema ORDER BY name').values()
  database.close()
  return rows
}
