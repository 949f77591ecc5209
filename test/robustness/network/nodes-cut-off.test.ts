import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../rigs/eventually.ts'
import { Nodes } from '../../rigs/program/nodes.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { runTern } from '../../rigs/program/server-process.ts'
import { TcpProxy } from '../../rigs/outside/tcp-proxy.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('nodes that are cut off', 'apt-get install postgresql')
const folders = temporaryFolders()

let postgres: PostgresServer
let network: TcpProxy
let nodes: Nodes

/** Both have one name, as copies of a machine do; the second one reaches the database through a network that can fail. */
describe.skipIf(isMissing)('two nodes with the same name', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    network = await TcpProxy.start(postgres.port)
    const databaseUrl = await postgres.makeDatabase()
    nodes = await Nodes.start(2, {
      databaseUrl,
      folder: () => folders.make(),
      others: { NODE_NAME: 'copied' },
      own: (node) => (node === 1 ? { DATABASE_URL: network.urlOf(databaseUrl) } : {}),
    })
    await nodes.operator.makeLinks(['known', 'switched'])
    for (const node of [0, 1])
      for (const code of ['known', 'switched']) expect(await open(node, code)).toBe(302)
  })

  afterAll(async () => {
    await nodes.stop()
    await network.stop()
    await postgres.remove()
    folders.remove()
  })

  const open = async (node: number, code: string) => (await nodes.ask(node, 'GET', `/${code}`)).status
  const counts = async () => [...(await nodes.operator.clickCounts(['known', 'switched'])).values()]
  const counted = (wanted: number[]) =>
    eventually(counts, (found) => found.every((count, i) => count === wanted[i]))

  test('count each click once, and tern doctor reports them', async () => {
    for (let n = 0; n < 40; n++) expect(await open(n % 2, 'known')).toBe(302)
    expect(await counted([42, 2])).toEqual([42, 2])
    const { output } = await runTern(['doctor'], nodes.nodes[0]!.settings)
    expect(output).toContain('2 journals of nodes named copied still have uncounted clicks.')
  })

  test.each([
    ['lets nothing through, and tells nobody', () => network.fallSilent()],
    ['refuses connections', () => network.refuse()],
  ])('keep working when the network of one %s, and agree when it is back', async (_, fail) => {
    // The node forgets a link that it has changed itself once more, when the database reports the change.
    await Bun.sleep(1_000)
    expect(await open(1, 'switched')).toBe(302)
    const [known, switched] = (await counts()) as [number, number]
    fail()
    for (let n = 0; n < 20; n++) expect(await open(1, 'known')).toBe(302)
    expect(await open(1, 'never-asked')).toBe(503)
    expect(await open(0, 'known')).toBe(302)
    expect((await nodes.ask(0, 'POST', '/api/links/switched/toggle')).status).toBe(200)
    // It cannot know.
    expect(await open(1, 'switched')).toBe(302)
    const sick = async () => ((await (await nodes.ask(1, 'GET', '/api/health')).json()) as any).status
    expect(await eventually(sick, (status) => status === 'degraded')).toBe('degraded')
    network.recover()
    expect(
      await eventually(
        () => open(1, 'switched'),
        (status) => status === 404,
      ),
    ).toBe(404)
    const back = await eventually(counts, ([found]) => found === known + 21)
    expect(back).toEqual([known + 21, expect.any(Number)])
    expect(back[1]).toBeGreaterThan(switched)
    expect((await nodes.ask(1, 'POST', '/api/links/switched/toggle')).status).toBe(200)
    expect(
      await eventually(
        () => open(0, 'switched'),
        (status) => status === 302,
      ),
    ).toBe(302)
  })
})
