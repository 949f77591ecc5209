import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from 'bun:test'
import { eventually } from '../../../test/rigs/eventually.ts'
import {
  ask,
  askAllAtOnce,
  CONNECTIONS,
  failureOf,
  openPoolRig,
  type PoolRig,
  statement,
} from '../../../test/rigs/store/pool-rig.ts'
import { lacksPostgres, PostgresServer } from '../../../test/rigs/store/postgres-server.ts'
import { isStoreUnavailable } from '../store-errors.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'

const ALL_GOOD = Array<number>(CONNECTIONS).fill(1)

let server: PostgresServer
let rig: PoolRig

describe.skipIf(lacksPostgres('connections to PostgreSQL'))('a pool of connections', () => {
  beforeAll(startServer)
  beforeEach(openRig)
  afterEach(endRig)
  afterAll(() => server.remove())

  describe('with many who ask', () => {
    test('has no more connections than its bound, and one for all that listens', async () => {
      const pool = rig.open()
      const count = () => ask<{ open: number }>(pool, COUNT)
      const most = async (answers: ReturnType<typeof count>[]) =>
        Math.max(...(await Promise.all(answers)).map(([row]) => row!.open))
      expect(await most(Array.from({ length: 10 * CONNECTIONS }, count))).toBe(CONNECTIONS)
      const sessions = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.reserve()))
      const behind = count()
      for (const session of sessions) session.giveBack()
      expect(await most([behind])).toBe(CONNECTIONS)
      pool.listen('news', () => {})
      await eventually(rig.backends, ({ length }) => length > CONNECTIONS)
      expect(await most(Array.from({ length: 10 * CONNECTIONS }, count))).toBe(CONNECTIONS + 1)
    })

    test('serves them first come, first served', async () => {
      const pool = rig.open({ connectionsMax: 1 })
      const answered: number[] = []
      const numbers = Array.from({ length: 20 }, (_, n) => n)
      await Promise.all(numbers.map((n) => ask(pool, 'SELECT 1').then(() => answered.push(n))))
      expect(answered).toEqual(numbers)
    })

    test('tells who waits too long to come again, and serves the others', async () => {
      jest.useFakeTimers()
      const pool = rig.open({ connectionsMax: 1 })
      const session = await pool.reserve()
      const early = failureOf(ask(pool, 'SELECT 1'))
      jest.advanceTimersByTime(WAIT_MS_MAX - 1_000)
      const late = ask(pool, 'SELECT 2 AS two')
      jest.advanceTimersByTime(2_000)
      expect(await early).toBeInstanceOf(StoreUnavailable)
      session.giveBack()
      expect(await late).toEqual([{ two: 2 }])
    })

    const COUNT = `SELECT count(*) AS open, pg_sleep(0.01) FROM pg_stat_activity
      WHERE application_name = 'tern' AND datname = current_database()`
  })

  test('gives up a statement that takes too long, and goes on with the same connections', async () => {
    const pool = rig.open({ statementMsMax: 200 })
    await askAllAtOnce(pool)
    const before = (await rig.backends()).sort()
    const failures = Array.from({ length: CONNECTIONS }, () => failureOf(ask(pool, 'SELECT pg_sleep(5)')))
    for (const failure of failures) expect(isStoreUnavailable(await failure)).toBe(true)
    expect(await askAllAtOnce(pool)).toEqual(ALL_GOOD)
    expect((await rig.backends()).sort()).toEqual(before)
  })

  describe('whose connection is killed', () => {
    test('says so of the statement that was under way, and has as many connections as before', async () => {
      const pool = rig.open()
      const failure = failureOf(ask(pool, 'SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)'))
      expect(isStoreUnavailable(await failure)).toBe(true)
      expect(await askAllAtOnce(pool)).toEqual(ALL_GOOD)
    })

    test('says so in a transaction, and never uses that connection again', async () => {
      const pool = rig.open()
      const session = await pool.reserve()
      await session.run(statement('BEGIN'))
      const { rows } = await session.run<{ pid: number }>(statement('SELECT pg_backend_pid() AS pid'))
      await rig.run(`SELECT pg_terminate_backend(${rows[0]!.pid})`)
      for (const text of ['INSERT INTO nothing VALUES (1)', 'COMMIT'])
        expect(isStoreUnavailable(await failureOf(session.run(statement(text))))).toBe(true)
      session.giveBack(true)
      expect(await askAllAtOnce(pool)).toEqual(ALL_GOOD)
      expect(await rig.backends()).not.toContain(rows[0]!.pid)
    })
  })

  test('closes a connection that is given back broken, and no other', async () => {
    const pool = rig.open()
    const [broken, ...others] = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.reserve()))
    for (const session of [broken!, ...others])
      await session.run(statement('CREATE TEMPORARY TABLE own (id INTEGER)'))
    await broken!.run(statement('BEGIN'))
    broken!.giveBack(true)
    await eventually(rig.backends, ({ length }) => length < CONNECTIONS)
    for (const session of others) {
      expect((await session.run(statement('SELECT * FROM own'))).rows).toEqual([])
      session.giveBack()
    }
    expect(await askAllAtOnce(pool)).toEqual(ALL_GOOD)
  })

  test('refuses while the server is down, and goes on when it is up again', async () => {
    const pool = rig.open()
    await ask(pool, 'SELECT 1')
    const underWay = failureOf(ask(pool, 'SELECT pg_sleep(5)'))
    await server.stop('immediate')
    for (const failure of [underWay, failureOf(ask(pool, 'SELECT 1')), failureOf(pool.reserve())])
      expect(isStoreUnavailable(await failure)).toBe(true)
    await server.startAgain()
    expect(await askAllAtOnce(pool)).toEqual(ALL_GOOD)
  })

  test('that is closed refuses everybody, and those who wait', async () => {
    const pool = rig.open({ connectionsMax: 1 })
    const session = await pool.reserve()
    const waiting = failureOf(pool.reserve())
    await pool.close()
    session.giveBack()
    for (const failure of [waiting, failureOf(pool.reserve()), failureOf(ask(pool, 'SELECT 1'))])
      expect(await failure).toBeInstanceOf(StoreUnavailable)
  })

  describe('listening', () => {
    test('hears what is said, also after the server was started again, and nothing of other channels', async () => {
      const pool = rig.open()
      const heard = { news: 0, other: 0 }
      pool.listen('news', () => void heard.news++)
      pool.listen('other', () => void heard.other++)
      const say = () => rig.run('NOTIFY news')
      await eventually(say, () => heard.news > 0)
      await server.stop('immediate')
      const before = heard.news
      await server.startAgain()
      await eventually(say, () => heard.news > before)
      expect([heard.news > before, heard.other]).toEqual([true, 0])
    })

    test('begins when the server does', async () => {
      await server.stop()
      const pool = rig.open()
      let heard = 0
      pool.listen('news', () => void heard++)
      expect(isStoreUnavailable(await failureOf(ask(pool, 'SELECT 1')))).toBe(true)
      await server.startAgain()
      await eventually(
        () => rig.run('NOTIFY news'),
        () => heard > 0,
      )
      expect(heard).toBeGreaterThan(0)
    })
  })

  async function startServer(): Promise<void> {
    server = await PostgresServer.start()
  }

  async function openRig(): Promise<void> {
    rig = await openPoolRig(server)
  }

  async function endRig(): Promise<void> {
    jest.useRealTimers()
    expect(await rig.end()).toEqual([])
  }
})

/** As src/store/waiting-time.ts has it. */
const WAIT_MS_MAX = 4_000
