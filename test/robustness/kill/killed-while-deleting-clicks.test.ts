import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openStore } from '../../../src/store/open-store.ts'
import { ClickHouseServer, isRealClickHouse, lacksClickHouse } from '../../rigs/clicks/clickhouse-server.ts'
import { eventually } from '../../rigs/eventually.ts'
import { seededRandom } from '../../rigs/program/click-load.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { killNode } from '../driver/faults.ts'
import { names, startVisits } from '../driver/load.ts'
import { movesClicks } from '../driver/moving-clicks.ts'
import { Tern } from '../driver/tern.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
/** In the title of the test. The same seed kills after the same times. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
setDefaultTimeout(300_000 + ROUNDS * 30_000)

const CODES = names('code', 12)
const changes = movesClicks({ leftOpen: 20, movedAtOnce: 150 })

test(`clicks in files are deleted whole or not at all in ${ROUNDS} rounds of kill -9 (seed ${SEED})`, async () => {
  await using tern = await Tern.start({ changes })
  await expectDeletions(tern)
})

describe.skipIf(lacksClickHouse || isRealClickHouse)('with ClickHouse beside PostgreSQL', () => {
  test(`clicks are deleted whole or not at all in ${ROUNDS} rounds of kill -9 (seed ${SEED})`, async () => {
    const folders = temporaryFolders()
    const server = await ClickHouseServer.start(folders.make())
    try {
      const settings = { CLICKHOUSE_URL: await server.makeDatabase() }
      await using tern = await Tern.start({ postgres: {}, settings, changes })
      await expectDeletions(tern)
    } finally {
      await server.stop()
      folders.remove()
    }
  })
})

async function expectDeletions(tern: Tern): Promise<void> {
  const random = seededRandom(SEED)
  const load = await startVisits(tern, { visitors: 4, codes: CODES, random })
  /** What was answered. A deletion whose answer was lost may be there, too. */
  const answered = new Map(CODES.map((code) => [code, 0]))
  for (let round = 0; round < ROUNDS; round++) {
    await load.continues(300)
    const deleting = deleteUntilKilled(tern, random, answered)
    await Bun.sleep(500 + random() * 1500)
    await killNode(tern)
    await deleting
    await tern.start(0)
    await load.continues(100)
  }
  await load.stop()
  await tern.restartAll()
  const { acknowledged, sent } = load.tally
  const totals = await eventually(
    () => totalsOf(tern),
    (found) => CODES.every((code) => countedOf(found, code) >= (acknowledged.get(code) ?? 0)),
  )
  for (const code of CODES) {
    expect(countedOf(totals, code)).toBeGreaterThanOrEqual(acknowledged.get(code) ?? 0)
    expect(countedOf(totals, code)).toBeLessThanOrEqual(sent.get(code) ?? 0)
    expect(totals.get(code)?.deleted ?? 0).toBeGreaterThanOrEqual(answered.get(code)!)
    const { body } = await tern.api('GET', `/api/analytics/links/${code}?period=24h`)
    expect(JSON.parse(body).data.total_clicks).toBe(totals.get(code)?.clicks ?? 0)
  }
  // On a busy machine every one of those before may have been killed.
  for (const code of CODES) {
    const { status, body } = await tern.api('DELETE', `/api/links/${code}/clicks`)
    expect({ status, clicks: JSON.parse(body).data?.clicks }).toEqual({
      status: 200,
      clicks: totals.get(code)?.clicks ?? 0,
    })
  }
  await tern.stopAll()
  expect(await tern.run(['recount', '--check'])).toMatchObject({ exitCode: 0 })
}

type Counts = { clicks: number; deleted: number }

const countedOf = (totals: Map<string, Counts>, code: string): number => {
  const { clicks, deleted } = totals.get(code) ?? { clicks: 0, deleted: 0 }
  return clicks + deleted
}

/** One after the other, of any links. */
async function deleteUntilKilled(
  tern: Tern,
  random: () => number,
  answered: Map<string, number>,
): Promise<void> {
  const { kills } = tern
  while (tern.kills === kills) {
    const code = CODES[Math.floor(random() * CODES.length)]!
    const answer = await tern.api('DELETE', `/api/links/${code}/clicks`).catch(() => undefined)
    if (answer?.status !== 200) continue
    answered.set(code, answered.get(code)! + JSON.parse(answer.body).data.clicks)
  }
}

async function totalsOf({ nodes }: Tern): Promise<Map<string, Counts>> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickHouseUrl } = nodes[0]!.settings
  const { db, close } = await openStore({ dataDir, databaseUrl, clickHouseUrl }, 'same-thread')
  const totals = await db
    .selectFrom('links')
    .innerJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select(['code', 'clicks', 'deleted'])
    .execute()
  await close()
  return new Map(totals.map(({ code, ...counts }) => [code, counts]))
}
