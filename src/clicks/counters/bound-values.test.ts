import { describe, expect, test } from 'bun:test'
import { countedValues, useCounterRig } from '../../../test/rigs/clicks/batch-counter.ts'
import { agreedCounts } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import { DAY_US, dayOf } from '../../runtime/clock.ts'
import type { Click } from '../journal/click.ts'
import type { ClickExtras } from '../journal/click-extras.ts'
import { VALUES_MAX } from './bound-values.ts'

const TODAY = dayOf(NOON_US)
const rig = useCounterRig()

describe('the values of a workspace, day and dimension', () => {
  test('are those that came first; the rest counts as other, but every click keeps its own', async () => {
    const node = await rig.startNode()
    await node.count(invented(VALUES_MAX - 300))
    await node.count(invented(800, { first: VALUES_MAX - 300 }))
    await node.count([...invented(50), ...invented(50, { first: 9_000 })])
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other'), referrers.get(hostOf(0))]).toEqual([
      VALUES_MAX + 1,
      550,
      2,
    ])
    const clicks = await rig.store.db.selectFrom('clicks').select('referrer').distinct().execute()
    expect(clicks).toHaveLength(VALUES_MAX + 500 + 50)
  })

  test('are the same for every node, and after a restart', async () => {
    const [one, two] = [await rig.startNode(), await rig.startNode()]
    await one.count(invented(3_000))
    await two.count(invented(1_900, { first: 3_000 }))
    await one.count(invented(200, { first: 5_000 }))
    await (await rig.startNode()).count(invented(10, { first: 9_000 }))
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other')]).toEqual([VALUES_MAX + 1, 110])
  })

  test('are bounded by the workspace and by the day', async () => {
    const node = await rig.startNode()
    await node.count(invented(VALUES_MAX + 100))
    await node.count(invented(3, { first: 9_000, clickedAtUs: NOON_US + DAY_US }))
    await node.count(invented(3, { first: 9_000, linkId: 2, workspaceId: 2 }))
    const tomorrow = await countedValues(rig.store.db, 'referrer', { day: TODAY + 1 })
    const others = await countedValues(rig.store.db, 'referrer', { workspaceId: 2 })
    expect([tomorrow.has(hostOf(9_000)), others.size]).toEqual([true, 3])
  })

  test('that were rolled back take no place', async () => {
    const node = await rig.startNode()
    await node.count(invented(VALUES_MAX - 100))
    await node.count(invented(50, { first: VALUES_MAX - 100 }))
    await expect(node.fail(invented(200, { first: 9_000 }))).rejects.toThrow()
    await node.count(invented(60, { first: 10_000 }))
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other'), referrers.has(hostOf(10_049))]).toEqual([
      VALUES_MAX + 1,
      10,
      true,
    ])
    expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: VALUES_MAX + 10 })
  })

  test('are no more when several nodes count at once', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => openTestStore(rig.folder)))
    try {
      // One after the other the segments are made; the counting is at once.
      const nodes = []
      for (const each of stores) nodes.push(await rig.startNode(each))
      for (let round = 0; round < 4; round++) {
        await Promise.all(nodes.map((node, i) => node.count(invented(500, { first: (round * 3 + i) * 500 }))))
      }
    } finally {
      for (const each of stores) await each.close()
    }
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other')]).toEqual([VALUES_MAX + 1, 6_000 - VALUES_MAX])
    expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 6_000 })
  })
})

test('a visitor who calls a referrer "other" is counted as one without', async () => {
  const node = await rig.startNode()
  await node.count([aClick(1, { referrer: 'other' }), aClick(2, { referrer: 'other.example' })])
  expect(await countedValues(rig.store.db, 'referrer')).toEqual(
    new Map([
      ['', 1],
      ['other.example', 1],
    ]),
  )
})

test('dimensions that few clicks have are counted for the workspace; bots are not', async () => {
  const node = await rig.startNode()
  await node.count([
    aClick(1),
    extended(1, { variant: 'rule 2', via: 'qr', language: 'pt', utm: '', alias: 'old' }),
    extended(3, { via: 'qr' }, { linkId: 2 }),
    extended(4, { via: 'qr', alias: 'old' }, { userAgent: 'Bot/1' }),
  ])
  const counted = await Promise.all(
    (['variant', 'via', 'language', 'alias'] as const).map((name) => countedValues(rig.store.db, name)),
  )
  expect(counted.map((values) => Object.fromEntries(values))).toEqual([
    { 'rule 2': 1 },
    { qr: 2 },
    { pt: 1 },
    { old: 1 },
  ])
})

const hostOf = (i: number) => `invented-${i}.example`

/** A click for each of a number of invented referrers; of one visitor, so that they differ in nothing else. */
const invented = (count: number, { first = 0, ...others }: Partial<Click> & { first?: number } = {}) =>
  Array.from({ length: count }, (_, i) => aClick(1, { referrer: hostOf(first + i), ...others }))

const extended = (visitor: number, extras: Partial<ClickExtras>, others: Partial<Click> = {}) =>
  aClick(visitor, {
    ...others,
    extras: { variant: '', via: 'link', language: '', utm: '', alias: '', ...extras },
  })
