import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Kysely, sql } from 'kysely'
import { eventually } from '../../../test/rigs/eventually.ts'
import { CONNECTIONS, failureOf, openPoolRig, type PoolRig } from '../../../test/rigs/store/pool-rig.ts'
import { lacksPostgres } from '../../../test/rigs/store/postgres-server.ts'
import { testPostgres } from '../../../test/rigs/store/test-store.ts'
import { manualClock } from '../../runtime/clock.ts'
import { isStoreUnavailable, isUniqueViolation } from '../store-errors.ts'
import { type DialectOptions, postgresDialect } from './postgres-dialect.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'

let rig: PoolRig
let db: Names

describe.skipIf(lacksPostgres('transactions of PostgreSQL'))('PostgreSQL', () => {
  beforeAll(openRig)
  beforeEach(openNames)
  afterEach(endConnections)
  afterAll(async () => {
    expect(await rig.end()).toEqual([])
  })

  describe('a transaction', () => {
    test('is seen by others when it is acknowledged, and nothing of it before', async () => {
      await db.transaction().execute(async (tx) => {
        await add(tx, 'a')
        expect(await committed()).toEqual([])
        await add(tx, 'b')
        expect(await committed()).toEqual([])
      })
      expect(await committed()).toEqual(['a', 'b'])
    })

    test('that is broken off leaves nothing, harms no other, and its connection goes on', async () => {
      const attempt = (name: string, fails: boolean) =>
        db.transaction().execute(async (tx) => {
          await add(tx, name)
          await add(tx, `${name}-2`)
          if (fails) throw new Error('changed my mind')
        })
      const attempts = Array.from({ length: 4 * CONNECTIONS }, (_, n) => attempt(`${n}`, n % 2 === 1))
      const outcomes = (await Promise.allSettled(attempts)).map(({ status }) => status)
      expect(outcomes).toEqual(attempts.map((_, n) => (n % 2 === 1 ? 'rejected' : 'fulfilled')))
      const names = attempts.flatMap((_, n) => (n % 2 === 1 ? [] : [`${n}`, `${n}-2`]))
      expect(await committed()).toEqual(names.sort())
      expect((await rig.backends()).length).toBeLessThanOrEqual(CONNECTIONS)
    })

    test('in which a statement was refused is no success, even if its caller goes on to the end', async () => {
      await add(db, 'taken')
      const transaction = db.transaction().execute(async (tx) => {
        await add(tx, 'first')
        expect(isUniqueViolation(await failureOf(add(tx, 'taken')))).toBe(true)
      })
      await expect(transaction).rejects.toThrow('PostgreSQL has rolled this transaction back.')
      expect(await committed()).toEqual(['taken'])
      await db.transaction().execute((tx) => add(tx, 'next'))
      expect(await committed()).toEqual(['next', 'taken'])
    })

    test('whose COMMIT is refused fails, and leaves nothing', async () => {
      await rig.run('CREATE TABLE friends (name TEXT REFERENCES names (name) DEFERRABLE INITIALLY DEFERRED)')
      const transaction = db.transaction().execute(async (tx) => {
        await add(tx, 'a')
        await sql`INSERT INTO friends VALUES ('nobody')`.execute(tx)
      })
      expect(await failureOf(transaction)).toMatchObject({ errno: '23503' })
      expect(await committed()).toEqual([])
      await db.transaction().execute((tx) => add(tx, 'next'))
      await rig.run('DROP TABLE friends')
    })

    test('whose connection is lost fails, leaves nothing, and the connection is not used again', async () => {
      let pid = 0
      const transaction = db.transaction().execute(async (tx) => {
        await add(tx, 'a')
        pid = await backendOf(tx)
        await rig.run(`SELECT pg_terminate_backend(${pid})`)
        await add(tx, 'b')
      })
      expect(isStoreUnavailable(await failureOf(transaction))).toBe(true)
      await expectOthersThan(pid)
      expect(await committed()).toEqual([])
    })

    test('that loses its connection while it is committed fails, and the connection is not used again', async () => {
      await rig.run(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(5); RETURN NULL; END $$`)
      await rig.run(`CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON names
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`)
      let pid = 0
      const failure = failureOf(
        db.transaction().execute(async (tx) => {
          pid = await backendOf(tx)
          await add(tx, 'a')
        }),
      )
      const isCommitting = `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query = 'COMMIT'
        AND datname = current_database()`
      await eventually(
        () => rig.run(isCommitting),
        ({ length }) => length === 1,
      )
      await rig.run(`SELECT pg_terminate_backend(${pid})`)
      expect(isStoreUnavailable(await failure)).toBe(true)
      await rig.run('DROP TRIGGER slow_commit ON names')
      await expectOthersThan(pid)
      expect(await committed()).toEqual([])
    })

    test('that does not even begin fails, and holds no connection', async () => {
      await Promise.all(Array.from({ length: CONNECTIONS }, () => add(db, crypto.randomUUID())))
      const before = await rig.backends()
      for (const pid of before) await rig.run(`SELECT pg_terminate_backend(${pid})`)
      // Some of the first may still meet a connection that is gone.
      await Promise.allSettled(before.map(() => db.transaction().execute((tx) => add(tx, 'a'))))
      await Promise.all(
        Array.from({ length: CONNECTIONS }, (_, n) =>
          db.transaction().execute((tx) => add(tx, `later ${n}`)),
        ),
      )
      expect(await committed()).toContain('later 0')
    })
  })

  test('a statement by itself is committed when it is acknowledged, and one that is refused harms no other', async () => {
    const outcomes = await Promise.allSettled(['a', 'a', 'b'].map((name) => add(db, name)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(await committed()).toEqual(['a', 'b'])
  })

  test('no row is in a list without values, and every row is outside of it', async () => {
    await add(db, 'a')
    const names = db.selectFrom('names').selectAll()
    expect(await names.where('name', 'in', []).execute()).toEqual([])
    expect(await names.where('name', 'not in', []).execute()).toEqual([{ name: 'a' }])
  })

  test('it says how many rows were changed, and gives those that are returned', async () => {
    await Promise.all(['a', 'b'].map((name) => add(db, name)))
    const update = db.updateTable('names').set((eb) => ({ name: eb.ref('name') }))
    expect((await update.executeTakeFirstOrThrow()).numUpdatedRows).toBe(2n)
    expect(await update.where('name', '=', 'a').returning('name').execute()).toEqual([{ name: 'a' }])
    expect((await db.deleteFrom('names').executeTakeFirstOrThrow()).numDeletedRows).toBe(2n)
    await expect(db.selectFrom('names').selectAll().stream().next()).rejects.toThrow('ask for a page')
  })

  test('a connection that is kept is nobody’s between its statements', async () => {
    const keep = () =>
      db.connection().execute(async (one) => {
        await add(one, crypto.randomUUID())
        await one.transaction().execute((tx) => add(tx, crypto.randomUUID()))
        await Bun.sleep(20)
        await add(one, crypto.randomUUID())
      })
    await Promise.all(Array.from({ length: 4 * CONNECTIONS }, keep))
    expect(await committed()).toHaveLength(12 * CONNECTIONS)
  })

  test('while nothing may be asked nothing is', async () => {
    const closed = open({
      refuse() {
        throw new StoreUnavailable('Not yet.')
      },
    })
    for (const failure of [
      failureOf(add(closed, 'a')),
      failureOf(closed.transaction().execute((tx) => add(tx, 'b'))),
    ])
      expect(await failure).toBeInstanceOf(StoreUnavailable)
    expect([await committed(), await rig.backends()]).toEqual([[], []])
  })

  test('who watches hears how long each transaction took, and of each that failed', async () => {
    const clock = manualClock(0)
    const seen: (number | 'failed')[] = []
    const watched = open({
      metrics: {
        clock,
        seconds: { observe: (seconds) => void seen.push(seconds) },
        failures: { add: () => void seen.push('failed') },
      },
    })
    const taking = (seconds: number, name: string) =>
      watched.transaction().execute(async (tx) => {
        clock.advance(seconds * 1_000_000)
        await add(tx, name)
      })
    await taking(2, 'a')
    await failureOf(taking(1, 'a'))
    await taking(0.5, 'b')
    expect(seen).toEqual([2, 'failed', 0.5])
  })

  async function openRig(): Promise<void> {
    rig = await openPoolRig(await testPostgres())
    await rig.run('CREATE TABLE names (name TEXT PRIMARY KEY)')
  }

  async function openNames(): Promise<void> {
    db = open()
    await rig.run('DELETE FROM names')
  }

  async function endConnections(): Promise<void> {
    expect(await rig.end()).toEqual([])
  }
})

type Tables = { names: { name: string } }
type Names = Kysely<Tables>

const open = (options?: DialectOptions): Names =>
  new Kysely({ dialect: postgresDialect(rig.open(), options) })

const add = (names: Names, name: string) => names.insertInto('names').values({ name }).execute()

/** What others see. */
async function committed(): Promise<string[]> {
  const rows = await rig.run('SELECT name FROM names ORDER BY name COLLATE "C"')
  return rows.map(({ name }) => name as string)
}

async function backendOf(names: Names): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(names)
  return rows[0]!.pid
}

/** All connections can be used at once, and none of them is this one. */
async function expectOthersThan(pid: number): Promise<void> {
  const pids: number[] = []
  const areAllThere = Promise.withResolvers<void>()
  const meet = () =>
    db.transaction().execute(async (tx) => {
      if (pids.push(await backendOf(tx)) === CONNECTIONS) areAllThere.resolve()
      await areAllThere.promise
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, meet))
  expect(new Set(pids).size).toBe(CONNECTIONS)
  expect(pids).not.toContain(pid)
}
