import { handleOn, type AnyDb, type DurableDb, type Tx } from './handles.ts'
import { transact } from './transact.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '../../test/rigs/eventually.ts'
import { failureOf } from '../../test/rigs/store/pool-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore, testPlace, testPostgres } from '../../test/rigs/store/test-store.ts'
import { freeToRemove, lock, lockedToChange, readLocked, runOnOneNode } from './engine-sql.ts'
import { isStoreUnavailable } from './store-errors.ts'
import type { Store } from './open-store.ts'
import { postgresDialect } from './postgres/postgres-dialect.ts'
import { PostgresPool } from './postgres/postgres-pool.ts'

const engines = enginesToTest('locks')
const folders = temporaryFolders()
let store: Store

describe.each(engines)('on %s', (engine) => {
  beforeAll(openStore)
  beforeEach(async () => {
    await store.db.deleteFrom('code_log').execute()
  })
  afterAll(closeStore)

  test('a lock lets judge about rows that are not there yet: one transaction after the other', async () => {
    const addNext = () =>
      transact(store.db, async (tx) => {
        await lock(tx, 'rows of a test')
        const { length } = await logs(tx)
        await pause()
        await addLog(tx, length)
      })
    await Promise.all(Array.from({ length: 8 }, addNext))
    expect((await logs(store.db)).map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  test('a row that was read locked is as it was until the transaction ends', async () => {
    await addLog(store.db, 1)
    const hasRead = Promise.withResolvers<void>()
    const order: string[] = []
    const reading = transact(store.db, async (tx) => {
      const read = async () => (await readLocked(tx, tx.selectFrom('code_log').selectAll()).execute())[0]
      const first = await read()
      hasRead.resolve()
      await Bun.sleep(WAIT_MS)
      expect(await read()).toEqual(first)
      order.push('read')
    })
    await hasRead.promise
    await store.db.updateTable('code_log').set({ position: 2 }).execute()
    order.push('changed')
    await reading
    expect(order).toEqual(['read', 'changed'])
    expect(await logs(store.db)).toMatchObject([{ position: 2 }])
  })

  test('rows that are to be changed are read in the order of the query', async () => {
    for (const position of [2, 1, 3]) await addLog(store.db, position)
    const read = await transact(store.db, (tx) => {
      const rows = tx.selectFrom('code_log').select('position').orderBy('position', 'desc')
      return lockedToChange(tx, rows).execute()
    })
    expect(read.map(({ position }) => position)).toEqual([3, 2, 1])
  })

  test('rows that nobody else is changing are removed', async () => {
    for (const position of [1, 2]) await addLog(store.db, position)
    const all = store.db.selectFrom('code_log').select('log')
    await store.db.deleteFrom('code_log').where('log', 'in', freeToRemove(store.db, all)).execute()
    expect(await logs(store.db)).toEqual([])
  })

  test('work for one node is done, and what it throws reaches the caller', async () => {
    let times = 0
    const work = async () => void times++
    await runOnOneNode(store.db, 'count', work)
    await runOnOneNode(store.db, 'count', work)
    expect(times).toBe(2)
    const failing = runOnOneNode(store.db, 'count', () => Promise.reject(new Error('Not today.')))
    await expect(failing).rejects.toThrow('Not today.')
    await runOnOneNode(store.db, 'count', work)
    expect(times).toBe(3)
  })

  async function openStore(): Promise<void> {
    store = await openTestStore(folders.make(), engine)
  }

  async function closeStore(): Promise<void> {
    await store.close()
    folders.remove()
  }
})

describe.skipIf(!engines.includes('postgres'))('of several nodes', () => {
  let other: Store
  let dataDir: string

  beforeAll(async () => {
    dataDir = folders.make()
    store = await openTestStore(dataDir, 'postgres')
    other = await openTestStore(dataDir, 'postgres')
  })
  afterAll(async () => {
    await other.close()
    await store.close()
    folders.remove()
  })

  /** Work that the test ends as it likes. */
  function begin(db: DurableDb, name: string) {
    const hasBegun = Promise.withResolvers<void>()
    const hold = Promise.withResolvers<void>()
    const done = failureOf(
      runOnOneNode(db, name, async () => {
        hasBegun.resolve()
        await hold.promise
      }),
    )
    return { hasBegun: hasBegun.promise, end: hold.resolve, done }
  }

  /** Whether another node would do such work now. */
  async function isFree(name: string): Promise<boolean> {
    let isDone = false
    await runOnOneNode(other.db, name, async () => void (isDone = true))
    return isDone
  }

  test('one does the work, and the others neither do it nor wait', async () => {
    const { hasBegun, end, done } = begin(store.db, 'sweep')
    await hasBegun
    expect([await isFree('sweep'), await isFree('dust'), await isFree('sweep')]).toEqual([false, true, false])
    end()
    expect([await done, await isFree('sweep')]).toEqual(['no failure', true])
  })

  test('another one can when the connection of the one that was at it is gone', async () => {
    const { hasBegun, end, done } = begin(store.db, 'sweep')
    await hasBegun
    const server = await testPostgres()
    await server.run(`SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND datname = '${await databaseName(dataDir)}'`)
    // The server lets go of the lock a moment after the answer.
    expect(await eventually(() => isFree('sweep'), Boolean)).toBe(true)
    end()
    expect(isStoreUnavailable(await done)).toBe(true)
  })

  test('the work may take longer than a transaction may be idle', async () => {
    const { databaseUrl } = await testPlace(dataDir, 'postgres')
    const settings = { url: databaseUrl!, connectionsMax: 1, statementMsMax: 600 }
    const pool = new PostgresPool({ ...settings, synchronousCommit: 'on' })
    const impatient = handleOn<DurableDb>(postgresDialect(pool))
    const idle = transact(impatient, async () => {
      await Bun.sleep(1_000)
    })
    expect(isStoreUnavailable(await failureOf(idle))).toBe(true)
    const { hasBegun, end, done } = begin(impatient, 'sweep')
    await hasBegun
    await Bun.sleep(1_000)
    expect(await isFree('sweep')).toBe(false)
    end()
    expect(await done).toBe('no failure')
    await pool.close()
  })

  test('a row that somebody else is changing is left out of those to be removed, and not waited for', async () => {
    await store.db.deleteFrom('code_log').execute()
    for (const position of [1, 2]) await addLog(store.db, position)
    await transact(store.db, async (tx) => {
      await lockedToChange(tx, tx.selectFrom('code_log').select('log').where('position', '=', 1)).execute()
      const all = other.db.selectFrom('code_log').select('log')
      await other.db.deleteFrom('code_log').where('log', 'in', freeToRemove(other.db, all)).execute()
    })
    expect((await logs(store.db)).map(({ position }) => position)).toEqual([1])
  })

  test('rows of which each wants both are changed one transaction after the other', async () => {
    await store.db.deleteFrom('code_log').execute()
    for (const position of [1, 2]) await addLog(store.db, position)
    const raiseBoth = async ({ db }: Store) =>
      transact(db, async (tx) => {
        const rows = tx.selectFrom('code_log').select('log').orderBy('log')
        await tx
          .updateTable('code_log')
          .set((eb) => ({ position: eb('position', '+', 10) }))
          .where('log', 'in', lockedToChange(tx, rows))
          .execute()
      })
    await Promise.all(Array.from({ length: 20 }, (_, n) => raiseBoth(n % 2 === 0 ? store : other)))
    expect((await logs(store.db)).map(({ position }) => position)).toEqual([201, 202])
  })

  test('a lock of another name holds nobody up', async () => {
    await transact(store.db, async (tx) => {
      await lock(tx, 'one')
      await transact(other.db, (another) => lock(another, 'two'))
    })
  })

  test('a lock holds up the other nodes as well', async () => {
    const order: string[] = []
    const isLocked = Promise.withResolvers<void>()
    const first = transact(store.db, async (tx) => {
      await lock(tx, 'one')
      isLocked.resolve()
      await Bun.sleep(WAIT_MS)
      order.push('first')
    })
    await isLocked.promise
    await transact(other.db, async (tx) => {
      await lock(tx, 'one')
      order.push('second')
    })
    await first
    expect(order).toEqual(['first', 'second'])
  })
})

const pause = () => Bun.sleep(5)

/** Long enough for another transaction to go on, if nothing held it up. */
const WAIT_MS = 100

const logs = (db: AnyDb) => db.selectFrom('code_log').select('position').orderBy('position').execute()

const addLog = (db: DurableDb | Tx, position: number) =>
  db
    .insertInto('code_log')
    .values({ log: `log ${position}`, position })
    .execute()

async function databaseName(dataDir: string): Promise<string> {
  const { databaseUrl } = await testPlace(dataDir, 'postgres')
  return new URL(databaseUrl!).pathname.slice(1)
}
