import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../rigs/eventually.ts'
import { Nodes } from '../../rigs/program/nodes.ts'
import { asAnother } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { runTern } from '../../rigs/program/server-process.ts'
import { TcpProxy } from '../../rigs/outside/tcp-proxy.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

const isMissing = findPostgres() === undefined && skipBecause('a fail-over', 'apt-get install postgresql')
const SETTINGS = { wal_level: 'replica', max_wal_senders: 5, hot_standby: 'on', fsync: 'off' }
/** Made on each node when the stand-by hears nothing any more. */
const LOST = [
  ['lost-1', 'lost-2', 'lost-3', 'lost-4'],
  ['lost-5', 'lost-6', 'lost-7'],
] as const
const LOST_COUNT = LOST.flat().length

const folders = temporaryFolders()
let primary: PostgresServer
let standby: PostgresServer
let address: TcpProxy
let nodes: Nodes

/** Commits do not wait for the standby, so the last ones are lost with the primary. */
describe.skipIf(isMissing)('a standby that takes over without the last transactions', () => {
  beforeAll(async () => {
    primary = await PostgresServer.start({ settings: SETTINGS })
    const url = await primary.makeDatabase()
    address = await TcpProxy.start(primary.port)
    nodes = await Nodes.start(2, { databaseUrl: address.urlOf(url), folder: () => folders.make() })
    await nodes.operator.makeLinks(['kept', 'also-kept'])
    standby = await PostgresServer.start({ settings: SETTINGS, of: primary })
    await standby.cutOff()
    await eventually(
      () => primary.run('SELECT FROM pg_stat_replication'),
      (senders) => senders.length === 0,
    )
  })

  afterAll(async () => {
    await nodes.stop()
    await address.stop()
    await standby.remove()
    await primary.remove()
    folders.remove()
  })

  const open = async (node: number, code: string) => (await nodes.ask(node, 'GET', `/${code}`)).status

  async function findingsOf(node: number, check: string) {
    const { output } = await runTern(['doctor', '--json'], nodes.nodes[node]!.settings)
    const found = JSON.parse(output).findings as { check: string; verdict: string; says: string }[]
    return found.filter((each) => each.check === check).map(({ verdict, says }) => [verdict, says])
  }

  test('loses no click, and reports exactly which links are lost', async () => {
    for (const [node, codes] of LOST.entries()) {
      for (const code of codes) {
        const made = await nodes.ask(node, 'POST', '/api/links', {
          original_url: 'https://example.com/',
          custom_code: code,
        })
        expect(made.status).toBe(201)
        expect(await open(node, code)).toBe(302)
      }
    }
    for (let n = 0; n < 50; n++) expect(await open(n % 2, 'kept')).toBe(302)
    const counts = () => nodes.operator.clickCounts(['kept', 'also-kept'])
    await eventually(counts, (found) => found.get('kept') === 50)

    await primary.stop('immediate')
    for (let n = 0; n < 30; n++) expect(await open(n % 2, 'kept')).toBe(302)
    await standby.promote()
    address.pointTo(standby.port)

    const back = await eventually(
      () => counts().catch(() => new Map<string, number>()),
      (found) => found.get('kept') === 80,
    )
    expect([...back]).toEqual([
      ['kept', 80],
      ['also-kept', 0],
    ])
    for (const node of [0, 1]) {
      const codes = await eventually(
        () => findingsOf(node, 'codes'),
        ([first]) => String(first?.[1]).startsWith(`${LOST_COUNT} `),
      )
      expect(codes).toEqual([
        [
          'fault',
          expect.stringContaining(
            `${LOST_COUNT} acknowledged links are lost because the database went back in time. Their codes are blocked: `,
          ),
        ],
      ])
      expect((await findingsOf(node, 'journal'))[0]).toEqual(['ok', expect.stringContaining(' 0 missing.')])
    }
    expect((await runTern(['recount', '--check'], nodes.nodes[0]!.settings)).exitCode).toBe(0)
  })

  test('gives no code of a lost link to another account', async () => {
    const rival = await asAnother(nodes.operator, 'rival@example.com')
    for (const code of LOST.flat()) {
      const claimed = { original_url: 'https://example.com/', custom_code: code }
      expect((await nodes.ask(0, 'POST', '/api/links', claimed, rival.key)).status).toBe(422)
      expect(
        await eventually(
          () => open(0, code),
          (status) => status === 404,
        ),
      ).toBe(404)
    }
    const again = { original_url: 'https://example.com/again', custom_code: 'lost-1' }
    expect((await nodes.ask(1, 'POST', '/api/links', again)).status).toBe(201)
    expect(
      await eventually(
        () => open(0, 'lost-1'),
        (status) => status === 302,
      ),
    ).toBe(302)
  })
})
