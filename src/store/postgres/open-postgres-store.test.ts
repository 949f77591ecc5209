import { eventually } from '../../../test/rigs/eventually.ts'
import { kyselyOf, type AnyDb, type DurableDb, type Tx, type WriteDb } from '../handles.ts'
import { transact } from '../transact.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { failureOf } from '../../../test/rigs/store/pool-rig.ts'
import { lacksPostgres, PostgresServer } from '../../../test/rigs/store/postgres-server.ts'
import { ForeignStore } from '../migrations/migrate.ts'
import { MIGRATIONS, NewerStore } from '../migrations/migrations.ts'
import { openPostgresStore, UnsuitablePostgres } from './open-postgres-store.ts'
import type { Store, StoreSharing } from '../open-store.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'

let server: PostgresServer
let url: string

describe.skipIf(lacksPostgres('a store in PostgreSQL'))('the store in PostgreSQL', () => {
  beforeAll(startServer)
  beforeEach(async () => {
    url = await server.makeDatabase()
  })
  afterEach(closeStores)
  afterAll(() => server.remove())

  test('is made in an empty database, with handles that differ in what they promise', async () => {
    const store = await open()
    await addCode(store.db, 'a')
    await addCode(store.relaxedDb, 'b')
    const codes = await store.reportDb.selectFrom('codes').select('code').orderBy('code').execute()
    expect(codes).toEqual([{ code: 'a' }, { code: 'b' }])
    const promises = {
      db: { synchronous_commit: 'on', default_transaction_read_only: 'off', statement_timeout: '6s' },
      relaxedDb: {
        synchronous_commit: 'off',
        default_transaction_read_only: 'off',
        statement_timeout: '6s',
      },
      clicksDb: { synchronous_commit: 'on', default_transaction_read_only: 'off', statement_timeout: '6s' },
      readDb: { synchronous_commit: 'on', default_transaction_read_only: 'on', statement_timeout: '8s' },
      reportDb: { synchronous_commit: 'on', default_transaction_read_only: 'on', statement_timeout: '8s' },
    } as const
    for (const [name, settings] of Object.entries(promises)) {
      const handle = store[name as keyof typeof promises]
      const all = {
        ...settings,
        TimeZone: 'UTC',
        lock_timeout: '4s',
        jit: 'off',
        random_page_cost: '1.1',
        ...(settings.default_transaction_read_only === 'on'
          ? { work_mem: '32MB', plan_cache_mode: 'force_custom_plan' }
          : { work_mem: '4MB', plan_cache_mode: 'auto' }),
        idle_in_transaction_session_timeout: settings.statement_timeout,
      }
      for (const [setting, expected] of Object.entries(all))
        expect(`${name}: ${setting} ${await show(handle, setting)}`).toBe(`${name}: ${setting} ${expected}`)
      // The same within a transaction.
      const inside = kyselyOf(handle)
        .transaction()
        .execute((tx) => show(tx as unknown as Tx, 'synchronous_commit'))
      expect(await inside).toBe(settings.synchronous_commit)
    }
    expect(store.othersWrite()).toBe(false)
  })

  test('is made once by ten that open it at the same time, and opened again as it is', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => open()))
    for (const [n, { db }] of opened.entries()) await addCode(db, `code ${n}`)
    const again = await open()
    expect(await again.db.selectFrom('codes').selectAll().execute()).toHaveLength(10)
    expect(await contents('name FROM kysely_migration')).toEqual(
      Object.keys(MIGRATIONS).map((name) => ({ name })),
    )
  })

  test.each(['LATIN1', 'SQL_ASCII'])('is not made in a database that is encoded in %s', async (encoding) => {
    const name = `other_${encoding.toLowerCase()}`
    await server.run(`CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0`)
    const refusal = await failureOf(openPostgresStore({ url: server.urlOf(name) }))
    expect(refusal).toBeInstanceOf(UnsuitablePostgres)
    expect((refusal as Error).message).toBe(
      `The database is encoded in ${encoding}: it must be UTF8. Create another one with ENCODING 'UTF8' TEMPLATE template0.`,
    )
    expect(await server.run(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`, name)).toEqual([])
  })

  test('that was closed, or that nobody asked anything, is closed, and refuses', async () => {
    const store = await open()
    const underWay = addCode(store.db, 'a')
    await Bun.sleep(1)
    await Promise.all([store.close(), open().then((unused) => unused.close())])
    await underWay
    for (const handle of [store.db, store.relaxedDb, store.reportDb as unknown as DurableDb])
      expect(await failureOf(addCode(handle, 'b'))).toBeInstanceOf(StoreUnavailable)
    expect(await contents('code FROM codes')).toEqual([{ code: 'a' }])
  })

  test('of a newer version is refused and not changed', async () => {
    await (await open()).close()
    await server.run(`INSERT INTO kysely_migration VALUES ('9999-later', '2099-01-01')`, database())
    const before = await contents('* FROM pg_class')
    const failure = await failureOf(open())
    expect(failure).toBeInstanceOf(NewerStore)
    expect(String(failure)).toContain('written by a newer Tern (it has 9999-later)')
    expect(await contents('* FROM pg_class')).toEqual(before)
  })

  test('with tables of another program is refused and nothing is added to it', async () => {
    await server.run('CREATE TABLE bookmarks (id INTEGER)', database())
    const before = await contents('* FROM pg_class')
    expect(await failureOf(open())).toBeInstanceOf(ForeignStore)
    expect(await contents('* FROM pg_class')).toEqual(before)
  })

  describe('that is away', () => {
    test('cannot be opened', async () => {
      await server.stop()
      const failure = await failureOf(open())
      await server.startAgain()
      expect(failure).toMatchObject({ code: 'ERR_POSTGRES_CONNECTION_REFUSED' })
    })

    test('is waited for where there is patience: all questions are refused at once, then answered', async () => {
      await server.stop()
      const log = recordingLog()
      const store = await open({ retryLog: log })
      expect(log.errors()).toEqual(['The database does not respond; retrying.'])
      for (const handle of [store.db, store.relaxedDb, store.reportDb as unknown as DurableDb]) {
        expect(await failureOf(addCode(handle, 'a'))).toBeInstanceOf(StoreUnavailable)
        const transaction = transact(handle, (tx) => addCode(tx, 'b'))
        expect(await failureOf(transaction)).toBeInstanceOf(StoreUnavailable)
      }
      await server.startAgain()
      await eventually(
        () => failureOf(addCode(store.db, 'c')),
        (failure) => failure === 'no failure',
      )
      expect(await store.reportDb.selectFrom('codes').select('code').execute()).toEqual([{ code: 'c' }])
      expect(log.lines).toHaveLength(1)
    })

    test('says that it has failed when it turns out to be another program’s', async () => {
      await server.run('CREATE TABLE bookmarks (id INTEGER)', database())
      await server.stop()
      const store = await open({ retryLog: recordingLog() })
      await server.startAgain()
      expect(await store.failed).toBeInstanceOf(ForeignStore)
      expect(await failureOf(addCode(store.db, 'a'))).toBeInstanceOf(StoreUnavailable)
    })

    test('is closed while it is waited for, and then left alone', async () => {
      await server.stop()
      const store = await open({ retryLog: recordingLog() })
      await store.close()
      await server.startAgain()
      await Bun.sleep(1_500)
      expect(await contents(`relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([])
    })

    test('is no reason to fail where it goes away later', async () => {
      const store = await open()
      await addCode(store.db, 'a')
      await server.stop('immediate')
      expect(await failureOf(addCode(store.db, 'b'))).toMatchObject({
        code: expect.stringMatching(/^ERR_POSTGRES_CONN/),
      })
      await server.startAgain()
      await addCode(store.db, 'c')
      expect(await Promise.race([store.failed, 'goes on'])).toBe('goes on')
    })
  })

  async function startServer(): Promise<void> {
    server = await PostgresServer.start()
  }

  async function closeStores(): Promise<void> {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    expect(await eventually(connections, (found) => found === 0)).toBe(0)
  }
})

const stores: Store[] = []

async function open(sharing?: StoreSharing): Promise<Store> {
  const store = await openPostgresStore({ url }, sharing)
  stores.push(store)
  return store
}

const addCode = (db: WriteDb | Tx, code: string) =>
  db.insertInto('codes').values({ code, workspace_id: null }).execute()

async function show(db: AnyDb, setting: string): Promise<string> {
  const { rows } = await sql<Record<string, string>>`SHOW ${sql.raw(setting)}`.execute(db)
  return Object.values(rows[0]!)[0]!
}

const database = () => new URL(url).pathname.slice(1)

const contents = async (what: string) => [...(await server.run(`SELECT ${what}`, database()))]

async function connections(): Promise<number> {
  const rows = await server.run(`SELECT pid FROM pg_stat_activity WHERE application_name = 'tern'`)
  return rows.length
}
