import { withPlugin } from '../../../test/rigs/program/with-plugin.ts'
import { transact } from '../../store/transact.ts'
import { beforeEach, describe, expect, test } from 'bun:test'
import { type KyselyPlugin, sql } from 'kysely'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { clickBreakdowns, clickSeries } from '../../analytics/click-counts.ts'
import { readTimeRange } from '../../analytics/time-range.ts'
import { DAY_US, dayOf, HOUR_US } from '../../runtime/clock.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'
import { removeStaleRollups, rollUpNextHours } from './link-days.ts'
import { DIMENSIONS } from './rollups.ts'

const store = useTestStore()

const TODAY = dayOf(NOON_US)
const [BUSY, QUIET] = [1, 2]
const DIMENSION_SETS = 50

const HOURS: RowInsert = {
  table: 'link_hours',
  columns: ['link_id', 'hour', 'dimensions_id', 'clicks', 'visitors', 'bots'],
}

/** Three days, today included, of a link with 50 dimension sets in each hour and of one with a single one. */
beforeEach(async () => {
  const dimensionSets = Array.from({ length: DIMENSION_SETS }, (_, i) => ({
    id: i + 1,
    country: ['DE', 'US', 'FR'][i % 3]!,
    device: i % 2 === 0 ? 'desktop' : 'mobile',
    browser: `Browser ${i % 4}`,
    os: `System ${i % 5}`,
    referrer: i % 6 === 0 ? '' : `site-${i % 6}.example`,
  }))
  await store.db.insertInto('click_dimensions').values(dimensionSets).execute()
  const hours = Array.from({ length: 3 * 24 }, (_, i) => (TODAY - 2) * 24 + i)
  const rows = hours.flatMap((hour) => [
    ...dimensionSets.map(({ id }) => [BUSY, hour, id, 1 + ((id + hour) % 7), 1, 0]),
    [BUSY, hour, 0, 0, 0, 2],
    [QUIET, hour, 1, 1, 1, 0],
  ])
  await writeRows(store.db, HOURS, rows)
  const totals = [BUSY, QUIET].map((link_id) => ({
    link_id,
    workspace_id: 1,
    visitors: 1,
    bots: 0,
    last_clicked_at: NOON_US,
    clicks: link_id === BUSY ? 1e4 : 72,
  }))
  await store.db.insertInto('link_totals').values(totals).execute()
  await store.db
    .insertInto('workspace_hours')
    .values({
      workspace_id: 1,
      dimension: 'total',
      hour: hours[0]!,
      value: '',
      clicks: 1,
      visitors: 1,
      bots: 0,
    })
    .execute()
})

describe('days of a hot link', () => {
  test('are rolled up hour by hour, each once, and not before its last clicks can be there', async () => {
    const midnight = TODAY * DAY_US
    const steps = []
    // The last hour of a day waits for an hour more.
    for (const nowUs of [midnight, midnight + HOUR_US, midnight + 1.2 * HOUR_US, NOON_US, NOON_US]) {
      steps.push([await rollUpAll(nowUs), await summedDays(BUSY)])
    }
    expect(steps).toEqual([
      [2, [-2, -1]],
      [0, [-2, -1]],
      [2, [-2, -1]],
      [1, [-2, -1, 0]],
      [0, [-2, -1, 0]],
    ])
    expect([await summedTo(TODAY - 1), await summedTo(TODAY)]).toEqual([23, 10])
    // Never the running hour.
    expect(await rollUpAll(NOON_US + HOUR_US)).toBe(1)
    expect(await summedTo(TODAY)).toBe(11)
    expect(await summedDays(QUIET)).toEqual([])
  })

  test('say the same as their hours, whatever the range', async () => {
    const before = [await answers(BUSY), await answers(QUIET)]
    expect(JSON.stringify(before[0]!.map(({ series }) => series)).length).toBeGreaterThan(10_000)
    await rollUpAll(NOON_US)
    expect([await answers(BUSY), await answers(QUIET)]).toEqual(before)
  })

  test('are really read: without their hours the answer is still there', async () => {
    await rollUpAll(NOON_US)
    const before = await answers(BUSY)
    const summed = before.filter(
      ({ from, to }) => from % 24 === 0 && (to === TODAY * 24 || to >= TODAY * 24 + 11),
    )
    expect(summed.length).toBeGreaterThan(5)
    await store.db
      .deleteFrom('link_hours')
      .where('hour', '<', TODAY * 24 + 11)
      .execute()
    const after = await answers(BUSY)
    for (const each of summed) expect(after).toContainEqual(each)
    expect(after).not.toEqual(before)
  })

  test('are forgotten when a click comes late, and no others', async () => {
    await rollUpAll(NOON_US)
    await addClickAt((TODAY - 2) * 24 + 5)
    await transact(store.db, (tx) => removeStaleRollups(tx, [{ link_id: QUIET, hour: (TODAY - 1) * 24 }]))
    expect(await summedDays(BUSY)).toEqual([-1, 0])
    const range = readTimeRange({ period: '7d', granularity: 'day', timezone: 'UTC' }, NOON_US, 0)
    const day = (await clickSeries(store.reportDb, { linkId: BUSY }, range)).at(-3)!
    const { clicks } = await store.db
      .selectFrom('link_hours')
      .select((eb) => eb.fn.sum<number>('clicks').as('clicks'))
      .where('link_id', '=', BUSY)
      .where('hour', '<', (TODAY - 1) * 24)
      .executeTakeFirstOrThrow()
    expect(day.clicks).toBe(clicks)
  })

  test('of the running one are forgotten for late clicks only, and made again with its next hour', async () => {
    await rollUpAll(NOON_US)
    await addClickAt(TODAY * 24 + 11)
    expect(await summedDays(BUSY)).toEqual([-2, -1, 0])
    await addClickAt(TODAY * 24 + 10)
    expect(await summedDays(BUSY)).toEqual([-2, -1])
    const before = await answers(BUSY)
    expect(await rollUpAll(NOON_US + HOUR_US)).toBe(1)
    expect([await summedDays(BUSY), await answers(BUSY)]).toEqual([[-2, -1, 0], before])
  })
})

test('without a click there is nothing to sum up', async () => {
  await store.db.deleteFrom('workspace_hours').execute()
  expect(await rollUpAll(NOON_US)).toBe(0)
})

test('a clock that is set back while sums are made lets no click that comes for them be missed', async () => {
  const [start, noon] = [TODAY * 24, NOON_US]
  // Until then there are too few rows for sums.
  await store.db
    .deleteFrom('link_hours')
    .where('hour', '>=', start)
    .where('hour', '<', start + 10)
    .execute()
  const rows = Array.from({ length: 300 }, (_, i) => [BUSY, start + 10, 1_000 + i, 1, 1, 0])
  await writeRows(store.db, HOURS, rows)
  const dying = withPlugin(store.relaxedDb, failingAt('summed_to'))
  await rollUpAll((TODAY + 0.1) * DAY_US)
  await expect(rollUpNextHours(dying, noon)).rejects.toThrow('killed')
  expect(await summedTo(TODAY)).toBe(10)
  await rollUpAll(noon - 5 * HOUR_US)
  await addClickAt(start + 8)
  const before = await answers(BUSY)
  await store.db.deleteFrom('link_days').execute()
  expect(await answers(BUSY)).toEqual(before)
})

test('late clicks of thousands of links are looked through, and remove what there is', async () => {
  await rollUpAll(NOON_US)
  const hour = (TODAY - 1) * 24
  const late = Array.from({ length: 5_000 }, (_, i) => ({ link_id: i + 1, hour }))
  await Promise.all(
    [late, late.toReversed()].map((hours) => transact(store.db, (tx) => removeStaleRollups(tx, hours))),
  )
  expect(await summedDays(BUSY)).toEqual([-2, 0])
})

const summedDays = async (linkId: number) => {
  const rows = await store.db
    .selectFrom('link_days')
    .select('day')
    .distinct()
    .where('link_id', '=', linkId)
    .execute()
  return rows.map(({ day }) => day - TODAY).sort((a, b) => a - b)
}

const rollUpAll = async (nowUs: number) => {
  let steps = 0
  while (await rollUpNextHours(store.relaxedDb, nowUs)) steps++
  return steps
}

/** The last hour of the day that is in its sums. */
const summedTo = async (day: number) => {
  const { rows } = await sql<{ hour: number }>`SELECT max(CAST(value AS INTEGER)) AS hour
    FROM link_days WHERE link_id = ${BUSY} AND dimension = 'hour' AND day = ${day}`.execute(store.db)
  return rows[0]!.hour - day * 24
}

const addClickAt = async (hour: number) => {
  await transact(store.db, (tx) => removeStaleRollups(tx, [{ link_id: BUSY, hour }]))
  await writeRows(store.db, HOURS, [[BUSY, hour, 99, 1, 1, 0]])
}

/** Fails, as if the program was killed there, when it is about to change this. */
const failingAt = (column: string): KyselyPlugin => ({
  transformQuery({ node }) {
    if (node.kind === 'UpdateQueryNode' && JSON.stringify(node).includes(column)) throw new Error('killed')
    return node
  },
  transformResult: async ({ result }) => result,
})

/** What an answer says of a link in ranges that begin and end within days, at their ends, and outside of all clicks. */
async function answers(linkId: number) {
  const iso = (hour: number) => new Date(hour * 3_600_000).toISOString()
  const noon = TODAY * 24 + 12
  const ends = [-1000, -60, -37, -36, -24, -13, -12, -5, -1, 0, 11, 12].map((hours) => noon + hours)
  const all = []
  for (const from of ends) {
    for (const to of ends.filter((end) => end > from)) {
      const query = {
        from: iso(from),
        to: iso(to),
        granularity: 'hour',
        timezone: 'UTC',
      } as const
      const range = readTimeRange(query, NOON_US, 0)
      const breakdowns = await clickBreakdowns(
        store.reportDb,
        { linkId },
        { range, dimensions: DIMENSIONS, limit: 100 },
      )
      all.push({ from, to, breakdowns, series: await clickSeries(store.reportDb, { linkId }, range) })
    }
  }
  return all
}
