import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { ClickHouseServer, isRealClickHouse, lacksClickHouse } from '../../rigs/clicks/clickhouse-server.ts'
import { seededRandom } from '../../rigs/program/click-load.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { killNode } from '../driver/faults.ts'
import { expectClicksCounted, expectInvariants } from '../driver/invariants.ts'
import { names, startVisits } from '../driver/load.ts'
import { movesClicks } from '../driver/moving-clicks.ts'
import { Tern } from '../driver/tern.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 4)
/** In the title of the test. The same seed kills after the same times. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(300_000 + ROUNDS * 30_000)

describe.skipIf(lacksClickHouse || isRealClickHouse)('with ClickHouse beside PostgreSQL', () => {
  test(`no click is lost or doubled in ${ROUNDS} rounds of kill -9 of Tern and of ClickHouse (seed ${SEED})`, async () => {
    const folders = temporaryFolders()
    const server = await ClickHouseServer.start(folders.make())
    try {
      const settings = { CLICKHOUSE_URL: await server.makeDatabase() }
      await using tern = await Tern.start({
        postgres: {},
        settings,
        changes: movesClicks({ leftOpen: 20, movedAtOnce: 150 }),
      })
      const random = seededRandom(SEED)
      const load = await startVisits(tern, { visitors: 4, codes: names('code', 20), random })
      for (let round = 0; round < ROUNDS; round++) {
        await load.continues(300)
        await Bun.sleep(random() * 1500)
        await server.kill()
        // Redirects and counting go on.
        await load.continues(300)
        await server.startAgain()
        await Bun.sleep(random() * 1500)
        await killNode(tern)
        await tern.start(0)
      }
      await load.continues()
      await load.stop()
      const counts = await expectClicksCounted(tern)
      for (const [code, clicks] of counts) {
        const { body } = await tern.api('GET', `/api/analytics/links/${code}?period=24h`)
        expect(JSON.parse(body).data.total_clicks).toBe(clicks)
      }
      expect(await batches(tern)).toBeGreaterThan(0)
      expect(await tern.findings('clickhouse')).toMatchObject([{ verdict: 'ok' }])
      await expectInvariants(tern)
    } finally {
      await server.stop()
      folders.remove()
    }
  })
})

async function batches({ database: { server, name } }: Tern): Promise<number> {
  const [row] = await server.run('SELECT batch::int FROM clickhouse_progress', name)
  return Number(row!.batch)
}
