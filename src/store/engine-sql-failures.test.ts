import { handleOn, kyselyOf, type AnyDb, type DurableDb, type Tx } from './handles.ts'
import { transact } from './transact.ts'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { freePort } from '../../test/rigs/free-port.ts'
import { failureOf } from '../../test/rigs/store/pool-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { type Engine, enginesToTest, openTestStore, testPlace } from '../../test/rigs/store/test-store.ts'
import { isStoreUnavailable, isUniqueViolation } from './store-errors.ts'
import { storePath } from './sqlite/open-sqlite-store.ts'
import type { Store } from './open-store.ts'
import { postgresDialect } from './postgres/postgres-dialect.ts'
import { type PoolSettings, PostgresPool } from './postgres/postgres-pool.ts'
import { openSqliteFile, openSqliteReader } from './sqlite/sqlite-file.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'

const engines = enginesToTest('failures')
const folders = temporaryFolders()
let store: Store
let dataDir: string

describe.each(engines)('on %s', (engine) => {
  beforeAll(() => open(engine))
  afterAll(close)

  test('a value of a primary key, or of a unique column, is taken', async () => {
    await addCode(store.db, 'abc')
    await addUser()
    expect([await verdict(addCode(store.db, 'abc')), await verdict(addUser())]).toEqual(['taken', 'taken'])
    const many = store.db
      .insertInto('codes')
      .values(['new', 'abc'].map((code) => ({ code, workspace_id: null })))
    expect(await verdict(many.execute())).toBe('taken')
  })

  test.each([
    ['another constraint', `INSERT INTO api_usage_days VALUES (404, 1, 1)`],
    ['a value that is missing', `INSERT INTO codes (code) VALUES (NULL)`],
    ['a column that is not there', 'SELECT nothing FROM codes'],
    ['a sentence that is none', 'SELECT FROM WHERE'],
  ])('%s is a fault of ours', async (_, text) => {
    expect(await verdict(sql.raw(text).execute(store.db))).toBe('a fault')
  })

  test('a write by the handle for reports is refused', async () => {
    // On SQLite it is the other handle itself where reports have no thread of their own.
    if (engine === 'postgres')
      expect(await verdict(addCode(store.reportDb as unknown as DurableDb, 'def'))).toBe('unavailable')
    else {
      const reader = openSqliteReader(storePath(dataDir))
      expect(verdictOf(thrownBy(() => reader.run("INSERT INTO codes (code) VALUES ('def')")))).toBe(
        'unavailable',
      )
      reader.close()
    }
  })
})

test('nothing else that may be thrown says so', () => {
  const withCode = (code: unknown, errno?: unknown) =>
    Object.assign(new Error('SQLITE_FULL 57P01'), { code, errno })
  const down = [
    ...['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY_DBMOVED'].map((code) => withCode(code)),
    ...['SQLITE_LOCKED', 'SQLITE_CORRUPT_VTAB', 'SQLITE_NOTADB', 'SQLITE_NOMEM'].map((code) =>
      withCode(code),
    ),
    ...['53300', '57P03', '58030', '40001', '40P01'].map((errno) =>
      withCode('ERR_POSTGRES_SERVER_ERROR', errno),
    ),
    ...['28000', '28P01', '3D000', '3F000', '42501', '42P01', '55000', '55006', '25006'].map((errno) =>
      withCode('ERR_POSTGRES_SERVER_ERROR', errno),
    ),
    ...[
      'CONNECTION_TIMEOUT',
      'TLS_NOT_AVAILABLE',
      'UNSUPPORTED_AUTHENTICATION_METHOD',
      'SASL_SIGNATURE_MISMATCH',
    ].map((code) => withCode(`ERR_POSTGRES_${code}`)),
    new StoreUnavailable('Not now.'),
  ]
  const others = [
    ...['SQLITE_CONSTRAINT_CHECK', 5, 'ENOENT'].map((code) => withCode(code)),
    ...['22021', '23514', '25P02', '42601', '42703', '42883', 57, null].map((errno) => withCode('', errno)),
    new Error('UNIQUE'),
    new Error('SQLITE_FULL'),
    'SQLITE_CONSTRAINT_UNIQUE',
    '23505',
    undefined,
    null,
  ]
  expect(down.map(isStoreUnavailable)).toEqual(down.map(() => true))
  expect(others.map(isStoreUnavailable)).toEqual(others.map(() => false))
  expect([...down, ...others].filter(isUniqueViolation)).toEqual([])
})

test('a file that another program keeps locked is not available', async () => {
  await open('sqlite')
  const database = openSqliteFile(storePath(dataDir))
  database.run('PRAGMA busy_timeout = 0')
  await transact(store.db, async (tx) => {
    await addCode(tx, 'abc')
    expect(verdictOf(thrownBy(() => database.run("INSERT INTO codes (code) VALUES ('def')")))).toBe(
      'unavailable',
    )
  })
  database.close()
  await close()
})

describe.skipIf(!engines.includes('postgres'))('PostgreSQL is not available', () => {
  beforeAll(() => open('postgres'))
  afterAll(close)

  async function usePool<Result>(
    work: (db: DurableDb) => Promise<Result>,
    others: Partial<PoolSettings>,
  ): Promise<Result> {
    const { databaseUrl } = await testPlace(dataDir, 'postgres')
    const settings = { url: databaseUrl!, connectionsMax: 2, statementMsMax: 10_000, ...others }
    const pool = new PostgresPool({ synchronousCommit: 'on', ...settings })
    try {
      return await work(handleOn<DurableDb>(postgresDialect(pool)))
    } finally {
      await pool.close()
    }
  }

  test('where nobody listens', async () => {
    const url = `postgres://tern@127.0.0.1:${freePort()}/tern`
    const ask = (db: DurableDb) => verdict(addCode(db, 'abc'))
    const askInTransaction = (db: DurableDb) => verdict(transact(db, (tx) => addCode(tx, 'abc')))
    expect(await usePool(ask, { url })).toBe('unavailable')
    expect(await usePool(askInTransaction, { url })).toBe('unavailable')
  })

  test('where a statement takes too long', async () => {
    const verdicts = await usePool(
      async (db) => {
        const wait = (tx: AnyDb) => sql`SELECT pg_sleep(5)`.execute(tx)
        return [await verdict(wait(db)), await verdict(transact(db, wait))]
      },
      { statementMsMax: 100 },
    )
    expect(verdicts).toEqual(['unavailable', 'unavailable'])
  })

  test('where the connection is ended', async () => {
    const end = (db: AnyDb) => sql`SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)`.execute(db)
    expect(await verdict(end(store.db))).toBe('unavailable')
    expect(await verdict(transact(store.db, end))).toBe('unavailable')
  })

  test('to one of two transactions that wait for each other, and the other is committed', async () => {
    for (const code of ['one', 'two']) await addCode(store.db, code)
    const locked = { one: Promise.withResolvers<void>(), two: Promise.withResolvers<void>() }
    const claim = (tx: Tx, code: string) =>
      tx.updateTable('codes').set({ workspace_id: null }).where('code', '=', code).execute()
    // Not by transact, which would try again.
    const inTransaction = (work: (tx: Tx) => Promise<unknown>) =>
      kyselyOf(store.db)
        .transaction()
        .execute((tx) => work(tx as unknown as Tx))
    const cross = (first: 'one' | 'two', second: 'one' | 'two') =>
      inTransaction(async (tx) => {
        await sql`SET LOCAL deadlock_timeout = '20ms'`.execute(tx)
        await claim(tx, first)
        locked[first].resolve()
        await locked[second].promise
        await claim(tx, second)
      })
    const failures = await Promise.all([failureOf(cross('one', 'two')), failureOf(cross('two', 'one'))])
    const refused = failures.filter((failure) => failure instanceof Error)
    expect(refused.map(verdictOf)).toEqual(['unavailable'])
  })

  test('where the database, the user or the table does not exist', async () => {
    const { databaseUrl } = await testPlace(dataDir, 'postgres')
    const database = new URL('/nothing', databaseUrl).href
    const user = databaseUrl!.replace('tern@', 'nobody@')
    for (const url of [database, user])
      expect(await usePool((db) => verdict(addCode(db, 'abc')), { url })).toBe('unavailable')
    expect(await verdict(sql`SELECT * FROM nothing`.execute(store.db))).toBe('unavailable')
  })
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

/** What the rest of the program learns of a failure. */
type Verdict = 'unavailable' | 'taken' | 'a fault'

function verdictOf(failure: unknown): Verdict {
  expect(failure).toBeInstanceOf(Error)
  const found: Verdict[] = []
  if (isStoreUnavailable(failure)) found.push('unavailable')
  if (isUniqueViolation(failure)) found.push('taken')
  expect(found.length).toBeLessThan(2)
  return found[0] ?? 'a fault'
}

const verdict = async (work: Promise<unknown>) => verdictOf(await failureOf(work))

async function open(engine: Engine): Promise<void> {
  dataDir = folders.make()
  store = await openTestStore(dataDir, engine)
}

async function close(): Promise<void> {
  await store.close()
  folders.remove()
}

const addCode = (db: DurableDb | Tx, code: string, workspace_id: number | null = null) =>
  db.insertInto('codes').values({ code, workspace_id }).execute()

const addUser = () =>
  sql`INSERT INTO users (name, email, password_hash, created_at)
    VALUES ('a', 'a@example.org', '', 0)`.execute(store.db)
