import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { eventually } from '../../test/rigs/eventually.ts'
import { useSharedFolders } from '../../test/rigs/use-rig.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { type Store, openStore } from './open-store.ts'
import { withReportTurn } from './report-turns.ts'

const folders = useSharedFolders()

describe.each(enginesToTest('turns of lists and reports'))('on %s', (engine) => {
  let store: Store
  let started: string[]
  let ends: Map<string, PromiseWithResolvers<void>>
  let requests: Promise<void>[]

  beforeEach(openTurns)
  afterEach(closeTurns)

  test('the lists of a workspace that requests many do not hold up those of another', async () => {
    const many = named(20).map((name) => request(1, name))
    const other = request(2, 'other')
    ends.get('other')!.resolve()
    await other
    const startedOfMany = () => started.filter((name) => name !== 'other')
    expect(await eventually(startedOfMany, ({ length }) => length >= running)).toHaveLength(running)
    endAll()
    // On PostgreSQL, they wait as long as for a connection.
    const refused = (await Promise.allSettled(many)).filter(({ status }) => status === 'rejected')
    expect(started).toHaveLength(21 - refused.length)
    if (engine === 'sqlite') expect(refused).toEqual([])
  })

  test('more than 40 requests of a workspace that wait are refused, and other requests are not', async () => {
    const accepted = named(running + WAITING).map((name) => request(1, name))
    await expect(request(1, 'one too many')).rejects.toMatchObject({
      code: 'too_many_requests',
      message: 'Too many lists and reports are in progress. Try again in a few seconds.',
      retryAfterSeconds: 5,
    })
    const short = withReportTurn(1, () => sql`SELECT 1 AS one`.execute(store.readDb))
    expect((await short).rows).toEqual([{ one: 1 }])
    endAll()
    await Promise.allSettled(accepted)
    expect(started).not.toContain('one too many')
  })

  test('a request that fails ends its turn, and statements outside of requests wait for none', async () => {
    const failure = withReportTurn(1, async () => {
      await sql`SELECT 1`.execute(store.reportDb)
      throw new Error('broken')
    })
    await expect(failure).rejects.toThrow('broken')
    const all = named(running).map((name) => request(1, name))
    await sql`SELECT 1`.execute(store.reportDb)
    endAll()
    await Promise.all(all)
  })

  async function openTurns(): Promise<void> {
    const dataDir = folders.make()
    store =
      engine === 'sqlite' ? await openStore({ dataDir }, 'own-thread') : await openTestStore(dataDir, engine)
    started = []
    ends = new Map()
    requests = []
  }

  async function closeTurns(): Promise<void> {
    endAll()
    await Promise.allSettled(requests)
    await store.close()
  }

  /** Of one workspace at once, and beyond those: see TURNS of the engine. */
  const running = engine === 'sqlite' ? 1 : 3

  const WAITING = 40

  /** Lists something, then goes on until it is ended, and reports something. */
  function request(workspaceId: number, name: string): Promise<void> {
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    const request = withReportTurn(workspaceId, async () => {
      await sql`SELECT 1`.execute(store.listDb)
      started.push(name)
      await end.promise
      await sql`SELECT 1`.execute(store.reportDb)
    })
    requests.push(request)
    return request
  }

  const named = (count: number) => Array.from({ length: count }, (_, n) => `request ${n}`)
  const endAll = () => ends.forEach((end) => end.resolve())
})
