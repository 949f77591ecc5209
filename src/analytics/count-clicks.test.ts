import { beforeEach, describe, expect, test } from 'bun:test'
import { aBotFact, aFact, insertFacts, queriesOf } from '../../test/rigs/clicks/fact-rows.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { useTestStore } from '../../test/rigs/store/test-store.ts'
import { DAY_US, dayOf, MINUTE_US, QUARTER_US, quarterOf } from '../runtime/clock.ts'
import type { Dimension } from '../store/click-dimensions.ts'
import type { ClickFilters } from './click-filters.ts'
import {
  type ClickScope,
  countByLink,
  countByLinkAndDay,
  countClicks,
  countClicksOfHours,
} from './count-clicks.ts'

const NOON = quarterOf(NOON_US)
const store = useTestStore()

beforeEach(insertClicks)

describe('counting by steps', () => {
  test('counts from the beginning of the range on', async () => {
    const range = { fromQuarter: NOON - 5, toQuarter: NOON + 3 }
    const { steps } = await countClicks(
      queriesOf(store),
      { workspaceId: 1, linkId: 1 },
      { range, stepQuarters: 6 },
    )
    expect(steps.map(({ quarter, clicks }) => [quarter - NOON, clicks])).toEqual([
      [-5, 9],
      [1, 1],
    ])
  })

  test('counts clicks, visitors and bots of a link', async () => {
    expect(await quarters({ workspaceId: 1, linkId: 1 })).toEqual(['-4: 7 5 0', '0: 2 1 0', '1: 1 1 1'])
    expect(await quarters({ workspaceId: 1, linkId: 4 })).toEqual([])
  })

  test('counts those who come to any link as visitors of a workspace', async () => {
    expect(await quarters({ workspaceId: 1 })).toEqual(['-4: 7 6 0', '0: 3 2 0', '1: 1 0 1'])
  })

  test('counts from the first quarter to the one before the last', async () => {
    expect(await quarters({ workspaceId: 1, linkId: 1 }, { fromQuarter: NOON, toQuarter: NOON + 1 })).toEqual(
      ['0: 2 1 0'],
    )
    expect(
      await quarters({ workspaceId: 1, linkId: 1 }, { fromQuarter: NOON + 1, toQuarter: NOON + 1 }),
    ).toEqual([])
  })
})

test('counting by value counts every dimension, most clicks first, and no bots', async () => {
  const by = async (scope: ClickScope, limit = 10) => {
    const dimensions = ['country', 'browser'] as const
    return (await countClicks(queriesOf(store), scope, { range: ALL, dimensions, limit })).values
  }
  expect(await by({ workspaceId: 1, linkId: 1 })).toEqual([
    { dimension: 'country', value: 'FR', clicks: 8, total: 10 },
    { dimension: 'country', value: 'DE', clicks: 2, total: 10 },
    { dimension: 'browser', value: 'A', clicks: 9, total: 10 },
    { dimension: 'browser', value: 'B', clicks: 1, total: 10 },
  ])
  expect(await by({ workspaceId: 1, linkId: 1 }, 1)).toEqual([
    { dimension: 'country', value: 'FR', clicks: 8, total: 10 },
    { dimension: 'browser', value: 'A', clicks: 9, total: 10 },
  ])
  expect((await by({ workspaceId: 1 })).filter(({ dimension }) => dimension === 'country')).toEqual([
    { dimension: 'country', value: 'FR', clicks: 8, total: 11 },
    { dimension: 'country', value: 'DE', clicks: 2, total: 11 },
    { dimension: 'country', value: 'BR', clicks: 1, total: 11 },
  ])
})

test('counting with filters counts those that pass all of them, and no bots, of which nothing is known', async () => {
  const count = async (filters: ClickFilters) => {
    const scope = { workspaceId: 1, linkId: 1, filters }
    const { steps, values } = await countClicks(queriesOf(store), scope, {
      range: ALL,
      dimensions: ['country'],
    })
    return [
      steps.map(({ clicks, visitors, bots }) => [clicks, visitors, bots]),
      values.map(({ value }) => value),
    ]
  }
  expect(await count({ country: { values: ['DE'] } })).toEqual([[[2, 1, 0]], ['DE']])
  // Bots have no country, as some visitors.
  expect(await count({ country: { values: ['DE'], isNegated: true } })).toEqual([[[8, 6, 0]], ['FR']])
  expect(await count({ country: { values: [''] } })).toEqual([[[0, 0, 0]], []])
  expect(await count({ country: { values: ['DE'] }, browser: { values: ['B'] } })).toEqual([
    [[1, 0, 0]],
    ['DE'],
  ])
  expect(
    await count({ country: { values: ['DE', 'BR'], isNegated: true }, browser: { values: ['A'] } }),
  ).toEqual([[[8, 6, 0]], ['FR']])
  expect(await count({ country: { values: ['NZ'] } })).toEqual([[], []])
})

test('counting of hours counts the same from kept counters', async () => {
  const row = (dimension: string, hour: number, value: string, clicks: number) => ({
    workspace_id: 1,
    dimension,
    hour,
    value,
    clicks,
    visitors: 0,
    bots: 0,
  })
  await store.db
    .insertInto('workspace_hours')
    .values([
      row('country', 1, 'DE', 4),
      row('country', 2, 'DE', 1),
      row('country', 2, 'FR', 2),
      row('country', 3, 'NZ', 9),
      row('browser', 2, 'A', 3),
      row('total', 2, '', 3),
      row('total', 1, '', 4),
      row('total', 3, '', 9),
    ])
    .execute()
  const range = { fromQuarter: 4, toQuarter: 12 }
  const count = (limit: number, dimensions: Dimension[] = ['country']) =>
    countClicksOfHours(store.reportDb, 1, { range, dimensions, limit })
  const steps = [
    { quarter: 4, clicks: 4, visitors: 0, bots: 0 },
    { quarter: 8, clicks: 3, visitors: 0, bots: 0 },
  ]
  expect(await count(9)).toEqual({
    steps,
    values: [
      { dimension: 'country', value: 'DE', clicks: 5, total: 7 },
      { dimension: 'country', value: 'FR', clicks: 2, total: 7 },
    ],
  })
  expect((await count(1)).values).toHaveLength(1)
  expect(await count(9, [])).toEqual({ steps, values: [] })
})

test('counting by link leaves out those without clicks, and takes none but those named', async () => {
  expect(await byLink([1, 2, 4])).toEqual(
    new Map([
      [1, 10],
      [2, 1],
    ]),
  )
  expect(await byLink([1], { fromQuarter: NOON + 1, toQuarter: NOON + 2 })).toEqual(new Map([[1, 1]]))
  expect(await byLink([])).toEqual(new Map())
})

test('counting by day counts by the day of UTC', async () => {
  await insertFacts(store.relaxedDb, [aFact({ clicked_at: NOON_US + DAY_US, link_id: 2, clicks: 4 })])
  const days = await countByLinkAndDay(queriesOf(store), { workspaceId: 1, linkIds: [1, 2], range: ALL })
  expect(days.map(({ id, day, clicks }) => [id, day - dayOf(NOON_US), clicks]).sort()).toEqual([
    [1, 0, 10],
    [2, 0, 1],
    [2, 1, 4],
  ])
})

function insertClicks() {
  return insertFacts(store.relaxedDb, [
    aFact({ clicked_at: at(0), country: 'DE', browser: 'A' }),
    aFact({ clicked_at: at(14), country: 'DE', browser: 'B', visitors: 0, workspace_visitors: 0 }),
    aFact({ clicked_at: at(15), country: 'FR', browser: 'A', workspace_visitors: 0 }),
    // Merged: a row of several clicks.
    aFact({
      clicked_at: at(-60),
      country: 'FR',
      browser: 'A',
      clicks: 7,
      visitors: 5,
      workspace_visitors: 4,
    }),
    aBotFact({ clicked_at: at(16) }),
    aFact({ clicked_at: at(1), link_id: 2, country: 'BR' }),
    aFact({ clicked_at: at(2), link_id: 3, workspace_id: 9, country: 'NZ' }),
    // Visitors of the workspace, of whose links nothing is known.
    aFact({ clicked_at: at(-60), link_id: 0, clicks: 0, visitors: 0, workspace_visitors: 2 }),
  ])
}

const ALL = { fromQuarter: 0, toQuarter: 2 * NOON }

const byLink = (linkIds: number[], range = ALL) =>
  countByLink(queriesOf(store), { workspaceId: 1, linkIds, range })

function at(minutes: number): number {
  return NOON_US + minutes * MINUTE_US
}

/** Each as 'quarter from noon: clicks visitors bots'. */
async function quarters(scope: ClickScope, range = ALL): Promise<string[]> {
  const { steps } = await countClicks(queriesOf(store), scope, { range, stepQuarters: 1 })
  return steps.map(
    ({ quarter, clicks, visitors, bots }) =>
      `${quarter - NOON_US / QUARTER_US}: ${clicks} ${visitors} ${bots}`,
  )
}
