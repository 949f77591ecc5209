import { describe, expect, test } from 'bun:test'
import { countedValues, useCounterRig } from '../../../test/rigs/clicks/batch-counter.ts'
import { agreedCounts, forgetCounts } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import { DAY_US, dayOf, HOUR_US } from '../../runtime/clock.ts'
import type { Click } from '../journal/click.ts'
import { rollUpNextHours } from './link-days.ts'
import { forgetLinkReferrers, REFERRERS_MAX } from './link-referrers.ts'

const TODAY = dayOf(NOON_US)
const rig = useCounterRig()

describe('the referrers of a link and day', () => {
  test('are a thousand, the first that came; the rest counts as other, and every click counts', async () => {
    const node = await rig.startNode()
    await node.count(invented(700))
    await node.count(invented(1_800, { first: 700 }))
    await node.count([...invented(50), ...invented(50, { first: 5_000 })])
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect(referrers.size).toBe(REFERRERS_MAX + 1)
    expect(referrers.get('other')).toBe(1_500 + 50)
    expect([referrers.get(hostOf(0)), referrers.get(hostOf(49)), referrers.get(hostOf(999))]).toEqual([
      2, 2, 1,
    ])
    expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 2_600 })
    const { found } = await rig.store.db
      .selectFrom('click_dimensions')
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .executeTakeFirstOrThrow()
    // Of what is beyond the bound nothing stays.
    expect(Number(found)).toBe(REFERRERS_MAX + 1)
  })

  test('stay a thousand over restarts, batches of any size, and hours', async () => {
    const all = invented(2_200)
    for (let from = 0; from < all.length; from += 170) {
      const node = await rig.startNode()
      const hours = all.slice(from, from + 170).map((click, i) => ({
        ...click,
        clickedAtUs: NOON_US + (i % 3) * HOUR_US,
      }))
      await node.count(hours)
    }
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other')]).toEqual([REFERRERS_MAX + 1, 1_200])
    expect([referrers.has(hostOf(999)), referrers.has(hostOf(1_000))]).toEqual([true, false])
  })

  test('are the same when the journal is counted once more, in other batches', async () => {
    const all = [...invented(1_500), ...invented(300, { linkId: 2 }), ...invented(1_500, { first: 600 })]
    const node = await rig.startNode()
    for (let from = 0; from < all.length; from += 400) await node.count(all.slice(from, from + 400))
    const before = [await countedValues(rig.store.db, 'referrer'), await agreedCounts(rig.store.db)]
    await forgetCounts(rig.store.db)
    const again = await rig.startNode()
    for (let from = 0; from < all.length; from += 1_100) await again.count(all.slice(from, from + 1_100))
    expect([await countedValues(rig.store.db, 'referrer'), await agreedCounts(rig.store.db)]).toEqual(before)
  })

  test('begin again on the next day, and for each link', async () => {
    const node = await rig.startNode()
    await node.count(invented(1_500))
    await node.count([
      ...invented(1_500, { clickedAtUs: NOON_US + DAY_US }),
      ...invented(1_500, { linkId: 2 }),
    ])
    for (const [linkId, day] of [
      [1, TODAY],
      [1, TODAY + 1],
      [2, TODAY],
    ] as const) {
      const referrers = await countedValues(rig.store.db, 'referrer', { linkId, day })
      expect([referrers.size, referrers.get('other')]).toEqual([REFERRERS_MAX + 1, 500])
    }
  })

  test('are held when clicks come late, after what was noted of their day is forgotten', async () => {
    const node = await rig.startNode()
    await node.count(invented(1_500))
    await forgetLinkReferrers(rig.store.relaxedDb, NOON_US + 2 * DAY_US)
    expect(await noted()).toEqual([])
    await (await rig.startNode()).count(invented(400, { first: 3_000 }))
    await node.count(invented(400, { first: 4_000 }))
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other')]).toEqual([REFERRERS_MAX + 1, 1_300])
  })

  test('are held after a batch that was rolled back', async () => {
    const node = await rig.startNode()
    await node.count(invented(900))
    await expect(node.fail(invented(1_000, { first: 900 }))).rejects.toThrow()
    await node.count(invented(1_000, { first: 2_000 }))
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.has(hostOf(2_099)), referrers.has(hostOf(2_100))]).toEqual([
      REFERRERS_MAX + 1,
      true,
      false,
    ])
    expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 1_900 })
  })

  test('are no more where a day had more before there was a bound', async () => {
    const node = await rig.startNode()
    await node.count(invented(1_500))
    // As a version without the bound has left it.
    await rig.store.db.deleteFrom('link_referrers').execute()
    await rig.store.db
      .updateTable('click_dimensions')
      .set({ referrer: 'one-more.example' })
      .where('referrer', '=', 'other')
      .execute()
    await (await rig.startNode()).count(invented(200, { first: 7_000 }))
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other')]).toEqual([REFERRERS_MAX + 2, 200])
  })

  test('are exactly a thousand when several nodes count at once', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => openTestStore(rig.folder)))
    try {
      // One after the other the segments are made; the counting is at once.
      const nodes = []
      for (const each of stores) nodes.push(await rig.startNode(each))
      for (let round = 0; round < 6; round++) {
        await Promise.all(
          nodes.map((node, i) => node.count(invented(150, { first: (round * 3 + i) * 150, visitor: 0 }))),
        )
      }
    } finally {
      for (const each of stores) await each.close()
    }
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other')]).toEqual([REFERRERS_MAX + 1, 2_700 - REFERRERS_MAX])
    expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 2_700 })
  })

  test('are a thousand and other in the sums of days, too', async () => {
    await (await rig.startNode()).count(invented(1_500))
    while (await rollUpNextHours(rig.store.relaxedDb, NOON_US + DAY_US));
    const sums = rig.store.db.selectFrom('link_days').selectAll().where('dimension', '=', 'referrer')
    expect(await sums.execute()).toHaveLength(REFERRERS_MAX + 1)
    await (await rig.startNode()).count(invented(10, { first: 8_000 }))
    expect(await countedValues(rig.store.db, 'referrer')).toHaveProperty('size', REFERRERS_MAX + 1)
  })

  test('are not noted, nor asked for, of links with few clicks', async () => {
    const node = await rig.startNode()
    for (let linkId = 1; linkId <= 50; linkId++) await node.count(invented(20, { linkId }))
    expect(await noted()).toEqual([])
  })
})

test('a visitor who calls a referrer "other" is counted as one without', async () => {
  await (
    await rig.startNode()
  ).count([aClick(1, { referrer: 'other' }), aClick(2, { referrer: 'other.example' })])
  expect(await countedValues(rig.store.db, 'referrer')).toEqual(
    new Map([
      ['', 1],
      ['other.example', 1],
    ]),
  )
})

test('what was noted before yesterday is forgotten', async () => {
  const rows = [-2, -1, 0].map((ago) => ({ day: TODAY + ago, link_id: 1, referrer: 'a.example' }))
  await rig.store.db.insertInto('link_referrers').values(rows).execute()
  await forgetLinkReferrers(rig.store.relaxedDb, NOON_US)
  expect((await noted()).map(({ day }) => day).sort()).toEqual([TODAY - 1, TODAY])
})

const hostOf = (i: number) => `invented-${i}.example`

/** A click for each of a number of invented referrers; of few visitors, so that they differ in nothing else. */
const invented = (count: number, { first = 0, ...others }: Partial<Click> & { first?: number } = {}) =>
  Array.from({ length: count }, (_, i) =>
    aClick(1, { referrer: hostOf(first + i), clickedAtUs: NOON_US + (first + i) * 1_000, ...others }),
  )

const noted = () => rig.store.db.selectFrom('link_referrers').selectAll().execute()
