import { expect, test } from 'bun:test'
import { countedValues, useCounterRig } from '../../../test/rigs/clicks/batch-counter.ts'
import { agreedCounts } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { HOUR_US, hourOf } from '../../runtime/clock.ts'
import { DIMENSION_SETS_MAX } from './bound-dimensions.ts'
import type { Click } from '../journal/click.ts'

const rig = useCounterRig()

test('of a link’s dimension sets in an hour the first ten thousand are kept, the rest counts by country and device', async () => {
  const hour = hourOf(NOON_US)
  const node = await rig.startNode()
  await node.count(madeUp(6_000))
  await node.count(madeUp(6_000, { first: 6_000 }))
  await node.count([...madeUp(100), ...madeUp(900, { first: 20_000 })])
  await node.count([...madeUp(100), ...madeUp(100, { first: 20_000 })])
  expect(await rowsOf(hour)).toBe(DIMENSION_SETS_MAX + 2)
  const browsers = await countedValues(rig.store.db, 'browser')
  expect([browsers.get('Other'), browsers.get('Phone0'), browsers.get('Phone9999'), browsers.size]).toEqual([
    2_000 + 900 + 100,
    3,
    1,
    DIMENSION_SETS_MAX + 1,
  ])
  const others = await rig.store.db
    .selectFrom('click_dimensions')
    .selectAll()
    .where('browser', '=', 'Other')
    .execute()
  expect(
    others.map(({ id, ...dimensions }) => dimensions).sort((a, b) => (a.country < b.country ? -1 : 1)),
  ).toEqual([
    { country: 'DE', device: 'mobile', browser: 'Other', os: 'Other', referrer: 'other' },
    { country: 'FR', device: 'mobile', browser: 'Other', os: 'Other', referrer: 'other' },
  ])
  expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 13_200 })
})

test('the bound holds after a restart, and begins again every hour', async () => {
  await (await rig.startNode()).count(madeUp(11_000))
  const node = await rig.startNode()
  await node.count(madeUp(500, { first: 20_000 }))
  await node.count(madeUp(11_000, { first: 30_000, clickedAtUs: NOON_US + HOUR_US }))
  const hour = hourOf(NOON_US)
  expect([await rowsOf(hour), await rowsOf(hour + 1)]).toEqual([
    DIMENSION_SETS_MAX + 2,
    DIMENSION_SETS_MAX + 2,
  ])
  expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 22_500 })
})

test('other links, and bots, are counted as ever', async () => {
  const node = await rig.startNode()
  await node.count(madeUp(11_000))
  await node.count([
    ...madeUp(10, { first: 20_000, linkId: 2 }),
    aClick(1, { userAgent: 'Bot/1' }),
    aClick(1, { userAgent: 'Bot/2' }),
  ])
  expect((await countedValues(rig.store.db, 'browser', { linkId: 2 })).has('Other')).toBe(false)
  expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 11_010, bots: 2 })
})

test('several nodes that count at once keep the bound together, and a batch that was rolled back changes nothing', async () => {
  const nodes = [await rig.startNode(), await rig.startNode()]
  for (let round = 0; round < 8; round++) {
    await Promise.all(
      nodes.map((node, i) => node.count(madeUp(800, { first: (2 * round + i) * 800, visitor: 0 }))),
    )
    if (round === 5)
      await expect(nodes[0]!.fail(madeUp(800, { first: 50_000, visitor: 0 }))).rejects.toThrow()
  }
  expect(await rowsOf(hourOf(NOON_US))).toBe(DIMENSION_SETS_MAX + 2)
  expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 12_800 })
})

/** A click for each of a number of made-up combinations, from two countries. */
const madeUp = (count: number, { first = 0, ...others }: Partial<Click> & { first?: number } = {}) =>
  Array.from({ length: count }, (_, i) =>
    aClick(1, {
      userAgent: `Phone${first + i}/1`,
      country: (first + i) % 2 === 0 ? 'DE' : 'FR',
      referrer: '',
      ...others,
    }),
  )

const rowsOf = async (hour: number) =>
  (await rig.store.db.selectFrom('link_hours').selectAll().where('hour', '=', hour).execute()).length
