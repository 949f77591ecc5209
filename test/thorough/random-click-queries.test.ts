import { expect, test } from 'bun:test'
import { deleteClicks } from '../../src/clicks/clickhouse/store-batch.ts'
import { queryClickHouse } from '../../src/clicks/clickhouse/query-clickhouse.ts'
import { DIMENSIONS } from '../../src/store/click-dimensions.ts'
import { ClickQueries } from '../../src/clicks/queries/click-queries.ts'
import {
  type ClickFilter,
  type ClickGroup,
  type ClickQuery,
  GROUP_KEYS,
} from '../../src/clicks/queries/click-query.ts'
import { queryTable } from '../../src/clicks/queries/query-table.ts'
import { DAY_US, HOUR_US, QUARTER_US } from '../../src/runtime/clock.ts'
import { answerFacts } from '../rigs/clicks/answer-facts.ts'
import { START_US, useClickStore } from '../rigs/clicks/click-store-rig.ts'
import { type ClickHouseRig, useClickHouse } from '../rigs/clicks/clickhouse-rig.ts'
import { recordingLog } from '../rigs/clicks/ingest-rig.ts'
import { LINKS, RandomClicks, TEXTS } from '../rigs/clicks/random-clicks.ts'
import { enginesToTest, openTestStore } from '../rigs/store/test-store.ts'
import { usePerTest } from '../rigs/use-rig.ts'
import { SeededRandom } from '../simulation/seeded-random.ts'

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

const ENGINES = enginesToTest('random click queries')

const store = useClickStore()
const clickHouse = useClickHouse()
/** All clicks stay in their tables. */
const tables = usePerTest(
  async (folder) => ({
    stores: await Promise.all(ENGINES.map((engine) => openTestStore(folder, engine))),
  }),
  async ({ stores }) => void (await Promise.all(stores.map((each) => each.close()))),
)

test.each([
  ['any times', 1],
  ['whole quarters of an hour, to which files may be cut', QUARTER_US],
])(`random queries of %s have the same answers everywhere (SEED=${SEED})`, async (_, unitUs) => {
  const random = new SeededRandom(SEED)
  const { rig: inClickHouse } = clickHouse
  await inClickHouse?.total()
  const others = inClickHouse === undefined ? [] : [movedStore(inClickHouse)]
  const clicks = new RandomClicks(store.rig, [...tables.stores, ...others], random)
  const log = recordingLog()
  const { reportDb: db } = store.rig.store
  const clickQueries = new ClickQueries({ db, callEngine: store.rig.callEngine, log })
  let rows = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { facts, endUs } = await clicks.beginRound()
    const queries = Array.from({ length: QUERIES_PER_ROUND }, () => randomQuery(random, endUs, unitUs))
    const [answers] = await Promise.all([
      Promise.all(queries.map((query) => answersTo(query, clickQueries))),
      clicks.addClicks(),
      clicks.changeFiles({ canCoarsen: unitUs === QUARTER_US }),
      inClickHouse && changeBatches(inClickHouse, random, { canCoarsen: unitUs === QUARTER_US }),
    ])
    for (const [i, query] of queries.entries()) {
      const expected = answerFacts(facts, query)
      for (const [where, groups] of Object.entries(answers[i]!))
        expect({ where, query, groups }).toEqual({ where, query, groups: expected })
      rows += expected.flat().length
    }
  }
  expect(rows).toBeGreaterThan(ROUNDS * QUERIES_PER_ROUND)
  expect(log.lines).toEqual([])
})

const ROUNDS = 15
const QUERIES_PER_ROUND = 12

/** For tests, which run on a busy machine. */
const QUERY_MS_MAX = 120_000

/** Clicks are moved to ClickHouse while queries run. */
const movedStore = ({ store: { relaxedDb }, clickHouse: server }: ClickHouseRig) => ({
  relaxedDb,
  forgetLink: (linkId: number) => deleteClicks(server, `link_id = ${linkId}`),
})

async function changeBatches(
  { store: { db }, mover, clickHouse: server }: ClickHouseRig,
  random: SeededRandom,
  { canCoarsen }: { canCoarsen: boolean },
): Promise<void> {
  const ids = await db.selectFrom('clicks').select('id').orderBy('id').execute()
  const last = ids[random.below(ids.length + 1)]
  if (last !== undefined) await mover.moveUpTo(last.id)
  if (canCoarsen && random.chance(0.3))
    await server.run('ALTER TABLE clicks UPDATE past_quarter = 0 WHERE TRUE')
}

function answerOfClickHouse(query: ClickQuery) {
  if (clickHouse.rig === undefined) return undefined
  const {
    store: { reportDb: db },
    clickHouse: server,
  } = clickHouse.rig
  return queryClickHouse({ db, clickHouse: server, msMax: QUERY_MS_MAX }, query)
}

async function answersTo(query: ClickQuery, clickQueries: ClickQueries) {
  const [{ groups: engine }, chosen, moved, ...ofTables] = await Promise.all([
    store.rig.query(query),
    clickQueries.answer(query),
    answerOfClickHouse(query),
    ...tables.stores.map(({ reportDb }) => queryTable(reportDb, query)),
  ])
  const ofClickHouse = moved === undefined ? {} : { moved }
  return {
    engine,
    chosen,
    ...ofClickHouse,
    ...Object.fromEntries(ENGINES.map((name, i) => [name, ofTables[i]!])),
  }
}

function randomQuery(random: SeededRandom, endUs: number, unitUs: number): ClickQuery {
  const aTime = () => {
    const timeUnitUs = random.pick([unitUs, QUARTER_US])
    return START_US + random.below((endUs - START_US) / timeUnitUs + 1) * timeUnitUs
  }
  const [fromUs, toUs] = [aTime(), aTime()].sort((a, b) => a - b) as [number, number]
  const filtered = DIMENSIONS.filter(() => random.chance(0.15))
  const groups = new Map<string, ClickGroup>()
  for (let count = random.between(1, 4); count > 0; count--) {
    const group = randomGroup(random)
    groups.set(group.by.toSorted().join(), group)
  }
  return {
    ...(random.chance(0.6) ? { workspaceId: random.below(5) } : {}),
    ...(random.chance(0.3) ? { linkIds: randomLinks(random) } : {}),
    ...(random.chance(0.2) ? { exceptLinkIds: randomLinks(random) } : {}),
    fromUs,
    toUs,
    filters: Object.fromEntries(filtered.map((name) => [name, randomFilter(random)])),
    stepUs: random.pick([QUARTER_US, HOUR_US, DAY_US, 7 * QUARTER_US]),
    groups: [...groups.values()],
  }
}

/** Sometimes more than a statement has parameters for, of which most have no click. */
const randomLinks = (random: SeededRandom): number[] => [
  ...Array.from({ length: random.below(5) }, () => random.below(LINKS + 2)),
  ...Array.from({ length: random.chance(0.02) ? 40_000 : 0 }, (_, i) => LINKS + 2 + i),
]

function randomGroup(random: SeededRandom): ClickGroup {
  const by = new Set(Array.from({ length: random.below(4) }, () => random.pick(GROUP_KEYS)))
  return { by: [...by], ...(random.chance(0.6) ? { top: random.between(1, 8) } : {}) }
}

const randomFilter = (random: SeededRandom): ClickFilter => ({
  values: Array.from({ length: random.below(5) }, () => random.pick([...TEXTS, 'never'])),
  isNegated: random.chance(0.3),
})
