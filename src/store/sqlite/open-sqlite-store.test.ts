import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { runScript } from '../../../test/rigs/program/run-script.ts'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { ForeignStore } from '../migrations/migrate.ts'
import { NewerStore } from '../migrations/migrations.ts'
import { openSqliteStore, storePath } from './open-sqlite-store.ts'
import { openSqliteFile } from './sqlite-file.ts'

const folders = useFolders()

describe('the store', () => {
  test.each([['own-thread'], ['same-thread']] as const)(
    'has three handles on the same tables, and closing it closes all: reports on %s',
    async (reports) => {
      const dataDir = join(folders.make(), 'made', 'on', 'the', 'way')
      const store = await openSqliteStore(dataDir, reports)
      await store.db.insertInto('codes').values({ code: 'a', workspace_id: null }).execute()
      await store.relaxedDb.insertInto('codes').values({ code: 'b', workspace_id: null }).execute()
      // More texts than the handle keeps prepared.
      for (let n = 0; n < 50; n++) await sql.raw(`SELECT ${n}`).execute(store.db)
      const codes = await store.reportDb.selectFrom('codes').select('code').orderBy('code').execute()
      expect(codes).toEqual([{ code: 'a' }, { code: 'b' }])
      await store.close()
      expect(readdirSync(dataDir)).toEqual(['tern.db'])
      if (process.platform === 'linux') expect(openFiles(dataDir)).toEqual([])
    },
  )

  test('that nobody asked anything closes as well', async () => {
    const dataDir = folders.make()
    const store = await openSqliteStore(dataDir, 'own-thread')
    await store.close()
    expect(readdirSync(dataDir)).toEqual(['tern.db'])
  })

  test('commits what is on its way before it closes', async () => {
    const dataDir = folders.make()
    const store = await openSqliteStore(dataDir, 'same-thread')
    const added = store.db.insertInto('codes').values({ code: 'a', workspace_id: null }).execute()
    await store.close()
    await added
    const again = await openSqliteStore(dataDir, 'same-thread')
    expect(await again.db.selectFrom('codes').select('code').execute()).toEqual([{ code: 'a' }])
    await again.close()
  })

  test('of a newer version is refused, not changed by a byte, and let go of', async () => {
    const dataDir = folders.make()
    const store = await openSqliteStore(dataDir, 'same-thread')
    await sql`INSERT INTO kysely_migration VALUES ('9999-later', '2099-01-01')`.execute(store.db)
    await store.close()
    const before = readFileSync(storePath(dataDir))
    const refused = openSqliteStore(dataDir, 'own-thread')
    await expect(refused).rejects.toBeInstanceOf(NewerStore)
    await expect(refused).rejects.toThrow(
      'The data was written by a newer Tern (it has 9999-later). Start that version, or a newer one; nothing was changed.',
    )
    expect(readFileSync(storePath(dataDir))).toEqual(before)
    expect(readdirSync(dataDir)).toEqual(['tern.db'])
  })
  test('with tables of another program is refused, and nothing is added to it', async () => {
    const dataDir = folders.make()
    const foreign = openSqliteFile(storePath(dataDir))
    foreign.run('CREATE TABLE bookmarks (id INTEGER)')
    foreign.close()
    await expect(openSqliteStore(dataDir, 'same-thread')).rejects.toBeInstanceOf(ForeignStore)
    const again = openSqliteFile(storePath(dataDir))
    expect(again.query('SELECT name FROM sqlite_schema').values()).toEqual([['bookmarks']])
    again.close()
  })
})

describe('several processes', () => {
  test('make one new store and lose no write of each other', async () => {
    const folder = folders.make()
    await Promise.all([1, 2, 3].map(() => runScript('write-rows.script.ts', folder, '50')))
    const opened = await openSqliteStore(folder, 'same-thread')
    const rows = await opened.db.selectFrom('workspace_totals').select('clicks').execute()
    await opened.close()
    expect(rows).toEqual([{ clicks: 150 }])
  })
})

const openFiles = (folder: string) =>
  readdirSync('/proc/self/fd')
    .map((descriptor) => {
      try {
        return readlinkSync(join('/proc/self/fd', descriptor))
      } catch {
        return ''
      }
    })
    .filter((path) => path.startsWith(folder))
