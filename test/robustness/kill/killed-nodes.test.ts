import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { ClickLoad, type LoadTally, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { findHaproxy, Haproxy } from '../../rigs/outside/haproxy.ts'
import { Nodes } from '../../rigs/program/nodes.ts'
import { asAnother, type OperatedFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { TcpProxy } from '../../rigs/outside/tcp-proxy.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { runTern } from '../../rigs/program/server-process.ts'
import { skipBecause } from '../../skips.ts'
import {
  LIMITED,
  limitViolations,
  makeLimitedLinks,
  openingsOf,
  visitLimitedLinks,
} from '../driver/limited-links.ts'
import { invariantViolations } from '../driver/invariant-violations.ts'
import { RecordedLoad } from '../driver/recorded-load.ts'
import type { Access } from '../driver/recording-client.ts'

const isMissing =
  (findPostgres() === undefined || findHaproxy() === undefined) &&
  skipBecause('nodes that are killed behind HAProxy', 'apt-get install postgresql haproxy')

/** A third of the time each: nodes and backends are killed; the database is down; another server takes over. */
const SECONDS = Number(process.env.FIRE_SECONDS ?? 15)
const SEED = Number(process.env.FIRE_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(120_000 + SECONDS * 4_000)

const CODES = Array.from({ length: 30 }, (_, i) => `code-${i}`)
const SWITCHES = CODES.slice(0, 3)
const TITLED = CODES.slice(3, 5)
const CLICKED = CODES.slice(5, 10)
const VISITORS = 8
/** It is down once, and fails over once. */
const DATABASE_STOPS = 2

/** Each commit waits for the standby, so nothing acknowledged may be lost. */
const PRIMARY = {
  wal_level: 'replica',
  max_wal_senders: 5,
  hot_standby: 'on',
  fsync: 'off',
  max_connections: 200,
}

const folders = temporaryFolders()

describe.skipIf(isMissing)('three nodes behind HAProxy', () => {
  afterAll(() => folders.remove())

  test(`keep every promise for ${SECONDS} s of kills, a database that is away and one that fails over`, async () => {
    await using closing = new AsyncDisposableStack()
    const random = seededRandom(SEED)
    const primary = closing.adopt(await PostgresServer.start({ settings: PRIMARY }), (it) => it.remove())
    const databaseUrl = await primary.makeDatabase()
    const standby = closing.adopt(await PostgresServer.start({ settings: PRIMARY, of: primary }), (it) =>
      it.remove(),
    )
    await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await primary.run('SELECT pg_reload_conf()')
    const proxy = closing.adopt(await TcpProxy.start(primary.port), (it) => it.stop())
    const nodes = closing.adopt(
      await Nodes.start(3, {
        databaseUrl: proxy.urlOf(databaseUrl),
        folder: () => folders.make(),
        others: { JOURNAL_SEGMENT_BYTES: '64KiB' },
      }),
      (it) => it.stop(),
    )
    const { operator } = nodes
    const rivals = await asAnother(operator, 'rivals@example.com')
    await operator.makeLinks(CODES)
    await makeLimitedLinks(operator)
    const haproxy = closing.adopt(await Haproxy.start(nodes.nodes.map(({ port }) => port)), (it) => it.stop())

    const visitors = new ClickLoad({ port: haproxy.port, clients: VISITORS, codes: CODES, random })
    const limited = visitLimitedLinks(haproxy.port, random)
    const accessOf = ({ key }: OperatedFolder, account: string): Access => ({
      port: haproxy.port,
      key,
      account,
    })
    const accounts: [Access, Access] = [accessOf(operator, 'mine'), accessOf(rivals, 'rivals')]
    const clients = new RecordedLoad({
      accounts,
      switches: SWITCHES,
      titled: TITLED,
      clicked: CLICKED,
      random,
    })

    const kills = await killAround(nodes, primary, { random, ms: (SECONDS * 1000) / 3 })
    await primary.stop('immediate')
    await Bun.sleep((SECONDS * 1000) / 3)
    await primary.startAgain()
    await Bun.sleep((SECONDS * 1000) / 6)
    await primary.stop('immediate')
    await standby.promote()
    proxy.pointTo(standby.port)
    await Bun.sleep((SECONDS * 1000) / 6 + 2_000)

    const [tally, records, limitedTally] = await Promise.all([
      visitors.stop(),
      clients.stop(),
      limited.stop(),
    ])
    const counts = await eventually(
      () => operator.clickCounts(CODES).catch(() => new Map<string, number>()),
      (found) => CODES.every((code) => (found.get(code) ?? -1) >= (tally.acknowledged.get(code) ?? 0)),
    )
    await clients.lookAtEverything()
    expectEachClickOnce(counts, tally)
    const lostMax = kills.ofNodes + nodes.nodes.length * (kills.ofBackends + DATABASE_STOPS)
    const opened = await openingsOf(operator)
    const limitedCounts = async () => ({ opened, counted: await operator.clickCounts(LIMITED) })
    const isBroken = (seen: { opened: Map<string, number>; counted: Map<string, number> }) =>
      limitViolations({ tally: limitedTally, ...seen, lostMax })
    // The last clicks are still being counted.
    const openings = await eventually(limitedCounts, (seen) => isBroken(seen).length === 0)
    expect(isBroken(openings)).toEqual([])
    expect([...invariantViolations(records), ...records.odd]).toEqual([])
    expect(sumOf(tally.acknowledged)).toBeGreaterThan(SECONDS * 20)
    for (const { settings } of nodes.nodes) {
      const { output } = await runTern(['doctor', '--json'], settings)
      const found = JSON.parse(output).findings as { check: string; verdict: string }[]
      const checks = found.filter(({ check }) => ['journal', 'codes', 'schema'].includes(check))
      expect(checks.map(({ check, verdict }) => [check, verdict])).toEqual([
        ['schema', 'ok'],
        ['journal', 'ok'],
        ['codes', 'ok'],
      ])
    }
    expect((await runTern(['recount', '--check'], nodes.nodes[0]!.settings)).exitCode).toBe(0)
    console.log(
      `${SECONDS} s (seed ${SEED}): sent ${sumOf(tally.sent)}, acknowledged ${sumOf(tally.acknowledged)}, ` +
        `counted ${sumOf(counts)}, other answers ${JSON.stringify([...tally.statuses])}, ` +
        `openings spent ${sumOf(openings.opened)}, counted ${sumOf(openings.counted)}, ` +
        `changes asked for ${[...records.sent.values()].join(' + ')}, not available ${records.unavailable}`,
    )
  })
})

/** Kills nodes and database backends one after the other. They come back. */
async function killAround(
  nodes: Nodes,
  primary: PostgresServer,
  { random, ms }: { random(): number; ms: number },
): Promise<{ ofNodes: number; ofBackends: number }> {
  const kills = { ofNodes: 0, ofBackends: 0 }
  const end = performance.now() + ms
  while (performance.now() < end) {
    await Bun.sleep(200 + random() * 600)
    if (random() < 0.5) {
      kills.ofNodes++
      const node = Math.floor(random() * nodes.nodes.length)
      await nodes.nodes[node]!.server.kill()
      await nodes.startAgain(node)
    } else {
      kills.ofBackends++
      await primary
        .run(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tern' AND random() < 0.4`,
        )
        .catch(() => {})
    }
  }
  return kills
}

/** acknowledged ≤ counted ≤ sent, for every code. */
function expectEachClickOnce(counts: Map<string, number>, { acknowledged, sent }: LoadTally): void {
  for (const [code, counted] of counts) {
    expect([code, counted]).toEqual([code, expect.any(Number)])
    expect(counted).toBeGreaterThanOrEqual(acknowledged.get(code) ?? 0)
    expect(counted).toBeLessThanOrEqual(sent.get(code) ?? 0)
  }
}
