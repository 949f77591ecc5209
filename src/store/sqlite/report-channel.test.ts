import { kyselyOf } from '../handles.ts'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledQuery, sql } from 'kysely'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import type { Store } from '../open-store.ts'
import { isStoreUnavailable } from '../store-errors.ts'
import { ReportChannel } from './report-channel.ts'

const folders = temporaryFolders()
let dataDir: string
let store: Store

beforeEach(async () => {
  dataDir = folders.make()
  store = await openSqliteStore(dataDir, 'own-thread')
})

afterEach(closeAll)

describe('a report', () => {
  test('sees everything that was acknowledged before it', async () => {
    for (let n = 1; n <= 20; n++) {
      await store.db
        .insertInto('codes')
        .values({ code: `code${n}`, workspace_id: null })
        .execute()
      const rows = await store.reportDb.selectFrom('codes').select('code').execute()
      expect(rows).toHaveLength(n)
    }
  })

  test('does not delay short reads, however long it takes', async () => {
    const answered: string[] = []
    const long = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) SELECT count(*) FROM n`
    const reports = [store.listDb, store.reportDb].map((db) =>
      long.execute(db).then(() => void answered.push('report')),
    )
    await sql`SELECT 1`.execute(store.readDb)
    answered.push('read')
    await Promise.all(reports)
    expect(answered).toEqual(['read', 'report', 'report'])
  })

  test('comes back with its kinds of values, however many are on the way', async () => {
    const values = [1.5, 'ÿ😀', null, new Uint8Array([0, 255])]
    const ask = (n: number) =>
      sql`SELECT ${n} AS n, ${values[0]} AS a, ${values[1]} AS b, ${values[2]} AS c, ${values[3]} AS d`
    const asked = Array.from({ length: 50 }, (_, n) => ask(n).execute(store.reportDb))
    const answers = await Promise.all(asked)
    expect(answers.map(({ rows }) => Object.values(rows[0]!))).toEqual(asked.map((_, n) => [n, ...values]))
  })

  test('that SQLite refuses fails alone, and the next one is answered', async () => {
    await expect(sql`SELECT * FROM nowhere`.execute(store.reportDb)).rejects.toThrow('no such table: nowhere')
    expect(await store.reportDb.selectFrom('links').selectAll().execute()).toEqual([])
  })

  test('cannot write, and has no transactions', async () => {
    const write = kyselyOf(store.reportDb).insertInto('codes').values({ code: 'abc', workspace_id: null })
    const refusal = await write.execute().catch((error) => error)
    expect([String(refusal), isStoreUnavailable(refusal)]).toEqual([
      expect.stringContaining('readonly'),
      true,
    ])
    const transaction = kyselyOf(store.reportDb)
      .transaction()
      .execute(async () => {})
    await expect(transaction).rejects.toThrow('Reports do not write')
    expect(await store.db.selectFrom('codes').selectAll().execute()).toEqual([])
  })
})

const ONE = { sql: 'SELECT 1 AS one', parameters: [] } as unknown as CompiledQuery

describe('the channel', () => {
  test('refuses what is on its way when it is closed, and what comes later', async () => {
    const channel = new ReportChannel(join(dataDir, 'tern.db'))
    const first = channel.executeQuery(ONE)
    const closing = channel.close()
    await expect(first).rejects.toThrow('The store is closed.')
    await closing
    await expect(channel.executeQuery(ONE)).rejects.toThrow('The store is closed.')
  })

  test('whose thread cannot open the file fails every report, the first and the later ones', async () => {
    const channel = new ReportChannel(join(dataDir, 'nowhere', 'tern.db'))
    for (const _ of ['the first', 'the next']) {
      const failure = await channel.executeQuery(ONE).catch((error) => error)
      expect([String(failure), isStoreUnavailable(failure)]).toEqual([
        expect.stringContaining('The report thread failed'),
        true,
      ])
    }
    await channel.close()
  })
})

async function closeAll(): Promise<void> {
  await store.close()
  // SQLite's side files go with the last handle: everything was closed.
  expect(readdirSync(dataDir)).toEqual(['tern.db'])
  folders.remove()
}
