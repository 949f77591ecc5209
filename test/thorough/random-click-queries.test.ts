import { expect, test } from 'bun:test'
import { type ClickStoreRig, type Fact, START_US, useClickStore } from '../rigs/clicks/click-store-rig.ts'
import { SeededRandom } from '../simulation/seeded-random.ts'
import { DAY_US } from '../../src/runtime/clock.ts'
import { DIMENSIONS, type Dimension } from '../../src/clicks/facts/dimensions.ts'
import { COUNT_COLUMNS } from '../../src/clicks/facts/fact-columns.ts'
import { QUARTER_US } from '../../src/runtime/clock.ts'
import type { ClickFilter, ClickGroup, ClickQuery, ClickRow } from '../../src/clicks/queries/click-query.ts'

const QUERIES = 1_000
const QUERIES_PER_STEP = 20
const DAYS = 5
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

const store = useClickStore()

test(`random queries are answered as SQLite answers them from the uncut table (SEED=${SEED})`, async () => {
  const { rig } = store
  const random = new SeededRandom(SEED)
  rig.database.run('CREATE TABLE uncut AS SELECT * FROM clicks')
  let rows = 0
  for (let step = 0; step < QUERIES / QUERIES_PER_STEP; step++) {
    await changeFacts(rig, random)
    const queries = Array.from({ length: QUERIES_PER_STEP }, () => randomQuery(random))
    const [answers] = await Promise.all([
      Promise.all(queries.map((query) => rig.query(query))),
      changeFiles(rig, random),
    ])
    for (const [i, query] of queries.entries()) {
      const { groups } = answers[i]!
      expect({ query, groups }).toEqual({ query, groups: answerFromUncut(rig, query) })
      rows += groups.flat().filter(({ clicks, bots }) => clicks + bots > 0).length
    }
  }
  expect(rows).toBeGreaterThan(QUERIES)
})

async function changeFacts(rig: ClickStoreRig, random: SeededRandom): Promise<void> {
  const facts = rig.add(Array.from({ length: random.below(300) }, () => randomFact(random)))
  rig.add(facts, 'uncut')
  if (random.chance(0.1)) await forget(rig, 1 + random.below(20))
}

/** Moves facts between the table and files, which no answer shows. */
async function changeFiles(rig: ClickStoreRig, random: SeededRandom): Promise<void> {
  const { id } = rig.database.query('SELECT max(id) AS id FROM clicks').get() as { id: number | null }
  if (id !== null && random.chance(0.4)) await rig.closeUpTo(id - random.below(100))
  const names = (await rig.files()).map(({ name }) => name).filter(() => random.chance(0.3))
  if (names.length > 0 && random.chance(0.3)) await rig.rewrite({ names, coarsens: random.chance(0.3) })
}

async function forget(rig: ClickStoreRig, linkId: number): Promise<void> {
  const ids = { linkIds: [linkId], workspaceIds: [] }
  for (const table of ['clicks', 'uncut'])
    rig.database.run(`DELETE FROM ${table} WHERE link_id = ?`, [linkId])
  const names = (await rig.files()).map(({ name }) => name)
  for (const name of await rig.engine.call('filesWith', { names, ...ids }))
    await rig.rewrite({ names: [name], without: ids })
}

const VALUES = ['', 'DE', "O'Hara", '"; DROP TABLE clicks; --', 'zero\0byte', '😀', '$1', '%']

function randomFact(random: SeededRandom): Partial<Fact> {
  const linkId = 1 + Math.floor(random.fraction() ** 2 * 20)
  const isBot = random.chance(0.1)
  const isFirst = Number(!isBot && random.chance(0.6))
  return {
    workspace_id: 1 + (linkId % 3),
    link_id: linkId,
    clicked_at: START_US + random.below(DAYS * DAY_US),
    ...Object.fromEntries(
      DIMENSIONS.map((name) => [name, random.pick(VALUES.slice(0, 2 + (name.length % 7)))]),
    ),
    clicks: Number(!isBot),
    visitors: isFirst,
    workspace_visitors: isFirst && Number(random.chance(0.8)),
    bots: Number(isBot),
  }
}

function randomQuery(random: SeededRandom): ClickQuery {
  const quarter = () =>
    Math.floor(START_US / QUARTER_US + random.below((DAYS * DAY_US) / QUARTER_US)) * QUARTER_US
  const [fromUs, toUs] = [quarter(), quarter()].sort((a, b) => a - b) as [number, number]
  const filtered = DIMENSIONS.filter(() => random.chance(0.15))
  const groups = [...DIMENSIONS, 'link_id' as const, 'quarter' as const, 'total' as const]
    .filter(() => random.chance(0.25))
    .map((by): ClickGroup => (by === 'quarter' || by === 'total' ? { by } : { by, top: 1 + random.below(8) }))
  return {
    ...(random.chance(0.6) ? { workspaceId: random.below(5) } : {}),
    ...(random.chance(0.3)
      ? { linkIds: Array.from({ length: random.below(4) }, () => random.below(22)) }
      : {}),
    fromUs,
    toUs,
    filters: Object.fromEntries(filtered.map((name) => [name, randomFilter(random)])),
    groups: groups.length > 0 ? groups : [{ by: [] }],
    orderBy: random.pick(['clicks', 'visitors', 'bots']),
  }
}

const randomFilter = (random: SeededRandom): ClickFilter => ({
  values: Array.from({ length: random.below(4) }, () => random.pick([...VALUES, 'never'])),
  isNegated: random.chance(0.3),
})

function answerFromUncut(rig: ClickStoreRig, query: ClickQuery): ClickRow[][] {
  const lists: [column: string, values: readonly unknown[], isNegated?: boolean][] = [
    ...(query.workspaceId === undefined ? [] : [['workspace_id', [query.workspaceId]] as [string, number[]]]),
    ...(query.linkIds === undefined ? [] : [['link_id', query.linkIds] as [string, readonly number[]]]),
    ...Object.entries(query.filters ?? {}).map(
      ([column, { values, isNegated }]): [string, readonly string[], boolean] => [
        column,
        values,
        isNegated === true,
      ],
    ),
  ]
  const conditions = lists.map(
    ([column, values, isNegated]) =>
      `${column} ${isNegated ? 'NOT' : ''} IN (${values.map(() => '?').join()})`,
  )
  const sums = COUNT_COLUMNS.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ')
  return query.groups.map(({ by, top }) => {
    const key = { total: 'NULL', quarter: `clicked_at / ${QUARTER_US}` }[by as string] ?? (by as Dimension)
    const order = by === 'quarter' ? 'value' : `${query.orderBy ?? 'clicks'} DESC, value`
    return rig.database
      .query(
        `SELECT ${key} AS value, ${sums} FROM uncut WHERE ${['clicked_at >= ?', 'clicked_at < ?', ...conditions].join(' AND ')}
         ${by === 'total' ? '' : 'GROUP BY 1'} ORDER BY ${order} LIMIT ${top ?? -1}`,
      )
      .all(query.fromUs, query.toUs, ...lists.flatMap(([, values]) => values as string[])) as ClickRow[]
  })
}
