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

/** A server that takes what it is sent and says nothing, as behind a network that was cut. */

const isMissing = lacksPostgres('a PostgreSQL that is silent')

/** As the pool has it; it looks twice a second. */
const GRACE_MS = 2_000
const ALL_GOOD = Array<number>(CONNECTIONS).fill(1)

let server: PostgresServer
let rig: PoolRig

describe.skipIf(isMissing)('connections to a server that says nothing', () => {
  beforeAll(startServer)
  beforeEach(openRig)
  afterEach(endRig)
  afterAll(() => server.remove())

  test('are given up within limits, transactions too, and new ones made in their place', async () => {
    const pool = rig.open()
    await askAllAtOnce(pool)
    const session = await pool.reserve()
    await session.run(statement('BEGIN'))
    const stopped = await rig.stopBackends()
    const failures = await Promise.all([
      failureOf(session.run(statement('COMMIT'))),
      ...Array.from({ length: CONNECTIONS - 1 }, () => failureOf(ask(pool, 'SELECT 1'))),
    ])
    expect(failures.map(isStoreUnavailable)).toEqual(ALL_GOOD.map(() => true))
    session.giveBack(true)
    expect(await askAllAtOnce(pool)).toEqual(ALL_GOOD)
    // The old ones find out that nobody is there any more, and end.
    rig.goOn()
    const left = await eventually(rig.backends, (pids) => !pids.some((pid) => stopped.includes(pid)))
    expect(left).toHaveLength(CONNECTIONS)
  })

  test('and that cannot be opened again either are refused again and again, until they can', async () => {
    jest.useFakeTimers()
    const pool = rig.open()
    await askAllAtOnce(pool)
    await rig.stopBackends()
    rig.stopServer()
    for (let time = 0; time < 3; time++) {
      const failures = Array.from({ length: CONNECTIONS }, () => failureOf(ask(pool, 'SELECT 1')))
      await turn()
      jest.advanceTimersByTime(SILENCE_MS_MAX)
      for (const failure of failures) expect(isStoreUnavailable(await failure)).toBe(true)
    }
    rig.goOn()
    jest.useRealTimers()
    expect(await askAllAtOnce(pool)).toEqual(ALL_GOOD)
  })

  test('are closed all the same, with all that wait for them', async () => {
    const pool = rig.open()
    pool.listen('news', () => {})
    await askAllAtOnce(pool)
    await rig.stopBackends()
    const failures = Array.from({ length: 2 * CONNECTIONS }, () => failureOf(ask(pool, 'SELECT 1')))
    await turn()
    await pool.close()
    for (const failure of failures) expect(isStoreUnavailable(await failure)).toBe(true)
  })

  test('are closed at once when nobody waits for anything, or nothing was ever asked', async () => {
    const [used, unused] = [rig.open(), rig.open()]
    await askAllAtOnce(used)
    await rig.stopBackends()
    // Time stands still: a wait would not end.
    jest.useFakeTimers()
    await Promise.all([used.close(), unused.close()])
  })

  async function startServer(): Promise<void> {
    server = await PostgresServer.start()
  }

  async function openRig(): Promise<void> {
    rig = await openPoolRig(server, { statementMsMax: STATEMENT_MS_MAX })
  }

  async function endRig(): Promise<void> {
    jest.useRealTimers()
    expect(await rig.end()).toEqual([])
  }
})

const STATEMENT_MS_MAX = 500
const SILENCE_MS_MAX = STATEMENT_MS_MAX + GRACE_MS + 500

const turn = () => new Promise((resolve) => setImmediate(resolve))
