import type { DurableDb, Tx } from './handles.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { failureOf } from '../../test/rigs/store/pool-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { sql } from 'kysely'
import { isStoreUnavailable, isUniqueViolation } from './store-errors.ts'
import type { Store } from './open-store.ts'
import { transact } from './transact.ts'

const engines = enginesToTest('transactions')
const folders = temporaryFolders()
let store: Store

describe.each(engines)('on %s', (engine) => {
  beforeAll(async () => {
    store = await openTestStore(folders.make(), engine)
  })
  beforeEach(() => store.db.deleteFrom('code_log').execute())
  afterAll(closeStore)

  test('all of the work is done, and what it gives is given', async () => {
    const given = await transact(store.db, async (tx) => {
      await add(tx, 'one')
      await add(tx, 'two')
      return 'both'
    })
    expect([given, await positions()]).toEqual(['both', [0, 0]])
  })

  test('nothing of work that fails is done, and it is not tried again', async () => {
    let tries = 0
    const failing = transact(store.db, async (tx) => {
      tries++
      await add(tx, 'one')
      throw new Error('Not today.')
    })
    expect([await failureOf(failing), tries, await positions()]).toEqual([new Error('Not today.'), 1, []])
  })

  async function closeStore(): Promise<void> {
    await store.close()
    folders.remove()
  }
})

describe.skipIf(!engines.includes('postgres'))('on PostgreSQL', () => {
  beforeAll(async () => {
    store = await openTestStore(folders.make(), 'postgres')
  })
  beforeEach(async () => {
    await store.db.deleteFrom('code_log').execute()
    for (const log of ['one', 'two']) await add(store.db, log)
  })
  afterAll(async () => {
    await store.close()
    folders.remove()
  })

  test('of two that wait for each other, one is done once more, so that both are done', async () => {
    const [first, second] = twoThatMeet()
    const done = [first('one', 'two'), second('two', 'one')]
    expect(await Promise.all(done)).toEqual(['done', 'done'])
    expect(await positions()).toEqual([2, 2])
  })

  test('one that loses every time is given up, as a store that could not do it just then', async () => {
    let tries = 0
    const losing = transact(store.db, async (tx) => {
      tries++
      await add(tx, 'three')
      await sql`DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`.execute(tx)
    })
    const failure = await losing.catch((error: unknown) => error)
    expect([isStoreUnavailable(failure), tries, await positions()]).toEqual([true, 2, [0, 0]])
  })

  test('a value that is taken is no reason to try again', async () => {
    let tries = 0
    const refused = transact(store.db, async (tx) => {
      tries++
      await add(tx, 'one')
    })
    expect([isUniqueViolation(await failureOf(refused)), tries]).toEqual([true, 1])
  })
})

/** Two pieces of work whose first tries each hold the row that the other one wants next. */
function twoThatMeet() {
  const firstRows = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const workOf =
    ({ resolve }: (typeof firstRows)[number]) =>
    async (...logs: string[]) => {
      await transact(store.db, async (tx) => {
        for (const log of logs) {
          await raise(tx, log)
          resolve()
          await Promise.all(firstRows.map(({ promise }) => promise))
        }
      })
      return 'done'
    }
  return [workOf(firstRows[0]!), workOf(firstRows[1]!)] as const
}

const add = (db: DurableDb | Tx, log: string) =>
  db.insertInto('code_log').values({ log, position: 0 }).execute()

const raise = (db: DurableDb | Tx, log: string) =>
  db
    .updateTable('code_log')
    .set((eb) => ({ position: eb('position', '+', 1) }))
    .where('log', '=', log)
    .execute()

async function positions(): Promise<number[]> {
  const rows = await store.db.selectFrom('code_log').select('position').orderBy('log').execute()
  return rows.map(({ position }) => position)
}
