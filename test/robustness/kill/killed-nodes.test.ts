import { setDefaultTimeout, test } from 'bun:test'
import { Haproxy } from '../driver/haproxy.ts'
import { seededRandom } from '../../rigs/program/click-load.ts'
import { databaseDown, failOver, killConnections, killNode } from '../driver/faults.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { lacks } from '../driver/lacks.ts'
import { names, startLoad } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

/** A third of the time each: nodes and backends are killed; the database is down; another server takes over. */
const SECONDS = Number(process.env.FIRE_SECONDS ?? 15)
const SEED = Number(process.env.FIRE_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(600_000 + SECONDS * 4_000)

test.skipIf(lacks('nodes that are killed behind HAProxy', 'postgresql', 'haproxy'))(
  `three nodes keep every promise for ${SECONDS} s of kills, a database that is away and one that fails over (seed ${SEED})`,
  async () => {
    await using tern = await Tern.start(WORLD)
    await using haproxy = await Haproxy.start(tern.nodes.map(({ port }) => port))
    const random = seededRandom(SEED)
    const load = await startLoad(tern, { visitors: 8, codes: names('code', 30), port: haproxy.port, random })
    await killAround(tern, random, (SECONDS * 1000) / 3)
    const startAgain = await databaseDown(tern)
    await Bun.sleep((SECONDS * 1000) / 3)
    await startAgain()
    await Bun.sleep((SECONDS * 1000) / 6)
    await failOver(tern)
    await Bun.sleep((SECONDS * 1000) / 6)
    await load.continues(SECONDS * 20)
    await expectInvariants(tern, { refusals: [502, 503, 504] })
  },
)

/** Kills nodes and connections to the database one after the other. They come back. */
async function killAround(tern: Tern, random: () => number, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end) {
    await Bun.sleep(200 + random() * 600)
    if (random() < 0.5) {
      const node = Math.floor(random() * tern.nodes.length)
      await killNode(tern, node)
      await tern.start(node)
    } else await killConnections(tern)
  }
}

/** Each commit waits for the standby, so nothing acknowledged may be lost. */
const WORLD = {
  nodes: 3,
  postgres: { standby: 'synchronous', networked: [0, 1, 2] },
  settings: { JOURNAL_SEGMENT_BYTES: '64KiB' },
} as const
