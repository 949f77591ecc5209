import { withPlugin } from '../../../test/rigs/program/with-plugin.ts'
import { PLAIN_ROUTE } from '../../../test/rigs/redirect/plain-route.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type KyselyPlugin, sql } from 'kysely'
import { openLinkedStore } from '../../../test/rigs/store/linked-store.ts'
import { failureOf } from '../../../test/rigs/store/pool-rig.ts'
import { lacksPostgres, PostgresServer } from '../../../test/rigs/store/postgres-server.ts'
import { manualClock } from '../../runtime/clock.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import type { Store } from '../../store/open-store.ts'
import { openPostgresReader, type PostgresReader } from '../../store/postgres/postgres-reader.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import type { LinkRoute } from './link-route.ts'
import { RemoteRoutes } from './remote-routes.ts'
import { defaultKey } from '../link-key.ts'

let server: PostgresServer
let store: Store
let reader: PostgresReader
let clock: ReturnType<typeof manualClock>
let routes: RemoteRoutes

describe.skipIf(lacksPostgres('links of PostgreSQL'))('links in PostgreSQL', () => {
  beforeAll(openLinks)
  beforeEach(openRoutes)
  afterAll(closeLinks)

  test('are read as they are committed', async () => {
    await store.db
      .updateTable('links')
      .set({ target_url: 'https://xn--mnchen-3ya.example/', is_active: 0 })
      .where('code', '=', 'code1')
      .execute()
    expect([await routes.get(defaultKey('code0')), await routes.get(defaultKey('code1'))]).toEqual([
      route('code0', {}),
      route('code1', { linkId: 2, destination: 'https://xn--mnchen-3ya.example/', isActive: false }),
    ])
  })

  test('requested in one turn of the event loop are read by one query, each once', async () => {
    const lookups = ['code1', 'nobody', 'code2', 'code1', 'nobody'].map((code) =>
      routes.get(defaultKey(code)),
    )
    expect(ids(await Promise.all(lookups))).toEqual([2, undefined, 3, 2, undefined])
    expect(queries).toBe(1)
  })

  test('requested while a query runs are read together by the next one', async () => {
    held = Promise.withResolvers()
    const first = routes.get(defaultKey('code1'))
    await hasQueried(1)
    const others = ['code2', 'code3', 'code2', 'code1'].map((code) => routes.get(defaultKey(code)))
    held.resolve()
    expect(ids(await Promise.all([first, ...others]))).toEqual([2, 3, 4, 3, 2])
    expect(queries).toBe(2)
  })

  test('requested in large numbers are read by several queries', async () => {
    const found = await Promise.all(CODES.map((code) => routes.get(defaultKey(code))))
    expect(ids(found)).toEqual(CODES.map((_, n) => n + 1))
    expect(queries).toBe(Math.ceil(CODES.length / CODES_MAX))
  })

  test('are refused beyond a bound of pending lookups', async () => {
    const lookups = Array.from({ length: PENDING_MAX + 2 }, (_, n) => routes.get(defaultKey(`nobody${n}`)))
    for (const tooMany of lookups.splice(PENDING_MAX))
      expect(await failureOf(tooMany!)).toBeInstanceOf(StoreUnavailable)
    expect(new Set(await Promise.all(lookups))).toEqual(new Set([undefined]))
    expect(ids([await routes.get(defaultKey('code1'))])).toEqual([2])
  })

  describe('that do not exist', () => {
    test('are not looked up again for a moment', async () => {
      expect(await routes.get(defaultKey('nobody'))).toBeUndefined()
      clock.advance(MOMENT_US - 1_000)
      // Not even a promise.
      expect([routes.get(defaultKey('nobody')), queries]).toEqual([undefined, 1])
      clock.advance(1_000)
      expect(routes.get(defaultKey('nobody'))).toBeInstanceOf(Promise)
      await hasQueried(2)
    })

    test('are looked up at once when they have been created', async () => {
      expect(await routes.get(defaultKey('later'))).toBeUndefined()
      routes.forget([defaultKey('another')])
      expect(routes.get(defaultKey('later'))).toBeUndefined()
      routes.forget([defaultKey('later')])
      expect(routes.get(defaultKey('later'))).toBeInstanceOf(Promise)
      await hasQueried(2)
    })

    test('are looked up again if they were created while the query ran', async () => {
      held = Promise.withResolvers()
      const early = routes.get(defaultKey('changed'))
      await hasQueried(1)
      routes.forget([defaultKey('changed')])
      held.resolve()
      expect(await early).toBeUndefined()
      expect(routes.get(defaultKey('changed'))).toBeInstanceOf(Promise)
      await hasQueried(2)
    })
  })

  test('that changed while a query ran are read again for later visitors', async () => {
    held = Promise.withResolvers()
    const early = routes.get(defaultKey('code9'))
    await hasQueried(1)
    await store.db.updateTable('links').set({ is_active: 0 }).where('code', '=', 'code9').execute()
    routes.forget([defaultKey('code9')])
    const late = routes.get(defaultKey('code9'))
    held.resolve()
    expect([(await early)?.isActive, (await late)?.isActive]).toEqual([true, false])
  })

  describe('when the database is unavailable', () => {
    afterEach(async () => {
      if (!(await isUp())) await server.startAgain()
    })

    test('are refused, for a moment without a query, and read again when it is back', async () => {
      await server.stop('immediate')
      const failures = await Promise.all(CODES.map((code) => failureOf(routes.get(defaultKey(code))!)))
      expect(failures.every((failure) => failure instanceof StoreUnavailable)).toBe(true)
      const before = queries
      clock.advance(MOMENT_US - 1_000)
      expect(await failureOf(routes.get(defaultKey('code1'))!)).toBeInstanceOf(StoreUnavailable)
      expect([queries, routes.isUnavailable]).toEqual([before, true])
      clock.advance(1_000)
      expect(await failureOf(routes.get(defaultKey('code1'))!)).toBeInstanceOf(StoreUnavailable)
      expect(routes.isUnavailable).toBe(true)
      await server.startAgain()
      clock.advance(MOMENT_US)
      expect(ids(await Promise.all(['code1', 'code2'].map((code) => routes.get(defaultKey(code)))))).toEqual([
        2, 3,
      ])
      expect(routes.isUnavailable).toBe(false)
    })

    test('it counts as unavailable only for a moment after a failure', async () => {
      await server.stop('immediate')
      expect(await failureOf(routes.get(defaultKey('code1'))!)).toBeInstanceOf(StoreUnavailable)
      expect(routes.isUnavailable).toBe(true)
      // There may be no other lookup for hours.
      clock.advance(MOMENT_US)
      expect(routes.isUnavailable).toBe(false)
    })
  })

  test('fail with the error of a wrong query, and are read again later', async () => {
    await sql`ALTER TABLE links RENAME COLUMN original_url TO elsewhere`.execute(store.db)
    const failures = await Promise.all(
      ['code1', 'code2'].map((code) => failureOf(routes.get(defaultKey(code))!)),
    )
    await sql`ALTER TABLE links RENAME COLUMN elsewhere TO original_url`.execute(store.db)
    expect(failures).toMatchObject([{ errno: '42703' }, { errno: '42703' }])
    expect([failures.some(isStoreUnavailable), routes.isUnavailable]).toEqual([false, false])
    expect(ids([await routes.get(defaultKey('code1'))])).toEqual([2])
  })

  async function openLinks(): Promise<void> {
    server = await PostgresServer.start()
    const linked = await openLinkedStore(CODES, server)
    store = linked.store
    reader = openPostgresReader(linked.url)
  }

  function openRoutes(): void {
    clock = manualClock(0)
    queries = 0
    held = undefined
    routes = new RemoteRoutes(withPlugin(reader.db, watching), clock)
  }

  async function closeLinks(): Promise<void> {
    await reader.close()
    await store.close()
    await server.remove()
  }
})

/** As in remote-routes.ts. */
const CODES_MAX = 64

const PENDING_MAX = 20_000
const MOMENT_US = 500_000
const CODES = Array.from({ length: 200 }, (_, n) => `code${n}`)

let queries: number
/** If set, the results of queries wait for it. */
let held: PromiseWithResolvers<void> | undefined

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

const route = (code: string, others: Partial<LinkRoute>): LinkRoute => ({
  ...PLAIN_ROUTE,
  ...defaultKey(code),
  linkId: 1,
  destination: `https://example.com/${code}`,
  workspaceId: 2,
  ...others,
})

const ids = (found: readonly (LinkRoute | undefined)[]) => found.map((route) => route?.linkId)

/** Waits until the database had the time to answer. */
async function hasQueried(times: number): Promise<void> {
  await Bun.sleep(30)
  expect(queries).toBe(times)
}

const isUp = () =>
  server.run('SELECT 1').then(
    () => true,
    () => false,
  )
