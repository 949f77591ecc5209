import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type KyselyPlugin, sql } from 'kysely'
import { openLinkedStore } from '../../test/rigs/linked-store.ts'
import { failureOf } from '../../test/rigs/pool-rig.ts'
import { findPostgres, PostgresServer } from '../../test/rigs/postgres-server.ts'
import { skipBecause } from '../../test/skips.ts'
import { manualClock } from '../clock.ts'
import { isStoreUnavailable } from '../store/engine-sql.ts'
import type { Store } from '../store/open-store.ts'
import { openPostgresReader, type PostgresReader } from '../store/postgres-reader.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { RemoteTargets } from './remote-targets.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('links of PostgreSQL', 'apt-get install postgresql')

/** As the subject has them. */
const CODES_MAX = 64
const WAITING_MAX = 20_000
const MOMENT_US = 500_000

const CODES = Array.from({ length: 200 }, (_, n) => `code${n}`)

let server: PostgresServer
let store: Store
let reader: PostgresReader
let clock: ReturnType<typeof manualClock>
let queries: number
/** Where it is there, an answer of the database waits for it. */
let held: PromiseWithResolvers<void> | undefined
let targets: RemoteTargets

describe.skipIf(isMissing)('links of a database that is elsewhere', () => {
  beforeAll(async () => {
    server = await PostgresServer.start()
    const linked = await openLinkedStore(CODES, server)
    store = linked.store
    reader = openPostgresReader(linked.url)
  })
  beforeEach(() => {
    clock = manualClock(0)
    queries = 0
    held = undefined
    targets = new RemoteTargets(reader.db.withPlugin(watching), clock)
  })
  afterAll(async () => {
    await reader.close()
    await store.close()
    await server.remove()
  })

  test('are read as they are committed', async () => {
    await store.db
      .updateTable('links')
      .set({ target_url: 'https://xn--mnchen-3ya.example/', is_active: 0 })
      .where('code', '=', 'code1')
      .execute()
    expect([await targets.get('code0'), await targets.get('code1')]).toEqual([
      { code: 'code0', id: 1, account_id: 2, href: 'https://example.com/code0', is_active: 1 },
      { code: 'code1', id: 2, account_id: 2, href: 'https://xn--mnchen-3ya.example/', is_active: 0 },
    ])
  })

  test('that are asked for in one turn are asked for together, each once', async () => {
    const asked = ['code1', 'nobody', 'code2', 'code1', 'nobody'].map((code) => targets.get(code))
    expect(ids(await Promise.all(asked))).toEqual([2, undefined, 3, 2, undefined])
    expect(queries).toBe(1)
  })

  test('that are asked for while a question is under way are asked for together in the next', async () => {
    held = Promise.withResolvers()
    const first = targets.get('code1')
    await hasAsked(1)
    const others = ['code2', 'code3', 'code2', 'code1'].map((code) => targets.get(code))
    held.resolve()
    expect(ids(await Promise.all([first, ...others]))).toEqual([2, 3, 4, 3, 2])
    expect(queries).toBe(2)
  })

  test('of which there are many are asked for some at a time', async () => {
    const found = await Promise.all(CODES.map((code) => targets.get(code)))
    expect(ids(found)).toEqual(CODES.map((_, n) => n + 1))
    expect(queries).toBe(Math.ceil(CODES.length / CODES_MAX))
  })

  test('are not asked for without end', async () => {
    const asked = Array.from({ length: WAITING_MAX + 2 }, (_, n) => targets.get(`nobody${n}`))
    for (const tooMany of asked.splice(WAITING_MAX))
      expect(await failureOf(tooMany!)).toBeInstanceOf(StoreUnavailable)
    expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]))
    expect(ids([await targets.get('code1')])).toEqual([2])
  })

  describe('that nobody has', () => {
    test('are not asked for again so soon', async () => {
      expect(await targets.get('nobody')).toBeUndefined()
      clock.advance(MOMENT_US - 1_000)
      // At once: not even a promise.
      expect([targets.get('nobody'), queries]).toEqual([undefined, 1])
      clock.advance(1_000)
      expect(targets.get('nobody')).toBeInstanceOf(Promise)
      await hasAsked(2)
    })

    test('are asked for at once when somebody has made them', async () => {
      expect(await targets.get('later')).toBeUndefined()
      targets.forget(['another'])
      expect(targets.get('later')).toBeUndefined()
      targets.forget(['later'])
      expect(targets.get('later')).toBeInstanceOf(Promise)
      await hasAsked(2)
    })

    test('are asked for again when they were made while the question was under way', async () => {
      held = Promise.withResolvers()
      const early = targets.get('meanwhile')
      await hasAsked(1)
      targets.forget(['meanwhile'])
      held.resolve()
      expect(await early).toBeUndefined()
      expect(targets.get('meanwhile')).toBeInstanceOf(Promise)
      await hasAsked(2)
    })
  })

  test('that were changed while the question was under way are asked for again by whoever comes then', async () => {
    held = Promise.withResolvers()
    const early = targets.get('code9')
    await hasAsked(1)
    await store.db.updateTable('links').set({ is_active: 0 }).where('code', '=', 'code9').execute()
    targets.forget(['code9'])
    const late = targets.get('code9')
    held.resolve()
    expect([(await early)?.is_active, (await late)?.is_active]).toEqual([1, 0])
  })

  describe('when it is away', () => {
    afterEach(async () => {
      if (!(await isUp())) await server.startAgain()
    })

    test('are refused, for a moment without a question, and read again when it is back', async () => {
      await server.stop('immediate')
      const failures = await Promise.all(CODES.map((code) => failureOf(targets.get(code)!)))
      expect(failures.every((failure) => failure instanceof StoreUnavailable)).toBe(true)
      const before = queries
      clock.advance(MOMENT_US - 1_000)
      expect(await failureOf(targets.get('code1')!)).toBeInstanceOf(StoreUnavailable)
      expect([queries, targets.isAway]).toEqual([before, true])
      clock.advance(1_000)
      expect(await failureOf(targets.get('code1')!)).toBeInstanceOf(StoreUnavailable)
      expect(targets.isAway).toBe(true)
      await server.startAgain()
      clock.advance(MOMENT_US)
      expect(ids(await Promise.all(['code1', 'code2'].map((code) => targets.get(code))))).toEqual([2, 3])
      expect(targets.isAway).toBe(false)
    })

    test('it is not said to be for longer than it is known', async () => {
      await server.stop('immediate')
      expect(await failureOf(targets.get('code1')!)).toBeInstanceOf(StoreUnavailable)
      expect(targets.isAway).toBe(true)
      // Nobody may ask for an unknown link for hours.
      clock.advance(MOMENT_US)
      expect(targets.isAway).toBe(false)
    })
  })

  test('fail with the fault where it is ours, and are asked for again', async () => {
    await sql`ALTER TABLE links RENAME TO elsewhere`.execute(store.db)
    const failures = await Promise.all(['code1', 'code2'].map((code) => failureOf(targets.get(code)!)))
    await sql`ALTER TABLE elsewhere RENAME TO links`.execute(store.db)
    expect(failures).toMatchObject([{ errno: '42P01' }, { errno: '42P01' }])
    expect([failures.some(isStoreUnavailable), targets.isAway]).toEqual([false, false])
    expect(ids([await targets.get('code1')])).toEqual([2])
  })
})

const watching: KyselyPlugin = {
  transformQuery({ node }) {
    queries++
    return node
  },
  async transformResult({ result }) {
    await held?.promise
    return result
  },
}

const ids = (found: readonly ({ id: number } | undefined)[]) => found.map((row) => row?.id)

/** The database has been asked so often, and has had the time to answer. */
async function hasAsked(times: number): Promise<void> {
  await Bun.sleep(30)
  expect(queries).toBe(times)
}

const isUp = () =>
  server.run('SELECT 1').then(
    () => true,
    () => false,
  )
