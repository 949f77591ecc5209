import { describe, expect, test } from 'bun:test'
import { useCounterRig } from '../../../test/rigs/clicks/batch-counter.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { DAY_US, HOUR_US, hourOf } from '../../runtime/clock.ts'
import type { Click } from '../journal/click.ts'
import type { ClickExtras } from '../journal/click-extras.ts'
import { SINGLE_DIMENSIONS, VALUES_MAX } from './single-dimensions.ts'

const HOUR = hourOf(NOON_US)
const rig = useCounterRig()

describe('dimensions that few clicks have', () => {
  test('make no row for plain clicks, nor for a query', async () => {
    const node = await rig.startNode()
    await node.count([aClick(1), aClick(2), extended(3, { query: 'utm_source=a' })])
    expect([await ofLinks(), await ofWorkspaces()]).toEqual([[], []])
  })

  test('are counted one by one, for the link and its workspace; bots are not', async () => {
    const node = await rig.startNode()
    await node.count([
      aClick(1),
      extended(1, { variant: 'rule 2', via: 'qr', language: 'pt', alias: 'old' }),
      extended(2, { variant: 'rule 2', via: 'link' }),
      extended(3, { via: 'qr' }, { linkId: 2 }),
      extended(4, { via: 'qr', alias: 'old' }, { userAgent: 'Bot/1' }),
    ])
    await node.count([extended(5, { variant: 'rule 2' })])
    // Visitor 1 had come before, by a plain click.
    expect(await ofLinks()).toEqual([
      '1 alias old: 1/0',
      '1 language pt: 1/0',
      '1 variant rule 2: 3/2',
      '1 via qr: 1/0',
      '2 via qr: 1/1',
    ])
    expect(await ofWorkspaces()).toEqual([
      '1 alias old: 1/0',
      '1 language pt: 1/0',
      '1 variant rule 2: 3/2',
      '1 via qr: 2/1',
    ])
  })

  test('are counted by the hour', async () => {
    const node = await rig.startNode()
    await node.count([
      extended(1, { via: 'preview' }),
      extended(2, { via: 'preview' }, { clickedAtUs: NOON_US + HOUR_US }),
    ])
    const rows = await rig.store.db
      .selectFrom('link_dimension_hours')
      .select(['hour', 'clicks'])
      .orderBy('hour')
      .execute()
    expect(rows).toEqual([
      { hour: HOUR, clicks: 1 },
      { hour: HOUR + 1, clicks: 1 },
    ])
  })
})

describe('the values of a link, day and dimension', () => {
  const invented = (count: number, { first = 0, ...others }: Partial<Click> & { first?: number } = {}) =>
    Array.from({ length: count }, (_, i) => extended(1, { language: `l${first + i}` }, others))

  async function languages(linkId = 1) {
    const rows = await rig.store.db
      .selectFrom('link_dimension_hours')
      .select(['value', (eb) => eb.fn.sum<number>('clicks').as('clicks')])
      .where('link_id', '=', linkId)
      .where('dimension', '=', 'language')
      .groupBy('value')
      .execute()
    return new Map(rows.map(({ value, clicks }) => [value, Number(clicks)]))
  }

  test('are a thousand, the first that came; the rest counts as other', async () => {
    const node = await rig.startNode()
    await node.count(invented(700))
    await node.count(invented(1_800, { first: 700 }))
    await node.count([...invented(50), ...invented(50, { first: 5_000 })])
    const counted = await languages()
    expect([counted.size, counted.get('other'), counted.get('l0'), counted.get('l999')]).toEqual([
      VALUES_MAX + 1,
      1_550,
      2,
      1,
    ])
  })

  test('are the same for every node, and after a restart', async () => {
    const [one, two] = [await rig.startNode(), await rig.startNode()]
    await one.count(invented(600))
    await two.count(invented(600, { first: 600 }))
    await one.count(invented(600, { first: 1_200 }))
    await (await rig.startNode()).count(invented(10, { first: 9_000 }))
    const counted = await languages()
    expect([counted.size, counted.get('other')]).toEqual([VALUES_MAX + 1, 810])
  })

  test('are bounded by the link and by the day', async () => {
    const node = await rig.startNode()
    await node.count(invented(1_500))
    await node.count(invented(3, { first: 2_000, clickedAtUs: NOON_US + DAY_US }))
    await node.count(invented(3, { first: 2_000, linkId: 2 }))
    expect([(await languages()).has('l2000'), (await languages(2)).size]).toEqual([true, 3])
  })

  test('that were rolled back take no place', async () => {
    const node = await rig.startNode()
    await node.count(invented(900))
    await node.count(invented(101))
    await expect(node.fail(invented(200, { first: 2_000 }))).rejects.toThrow()
    await node.count(invented(100, { first: 3_000 }))
    const counted = await languages()
    expect([counted.size, counted.get('l3099'), counted.get('other')]).toEqual([VALUES_MAX, 1, undefined])
  })
})

const extended = (visitor: number, extras: Partial<ClickExtras>, others: Partial<Click> = {}) =>
  aClick(visitor, {
    ...others,
    extras: { variant: '', via: 'link', language: '', query: '', alias: '', ...extras },
  })

/** Each as 'owner dimension value: clicks/visitors', of all hours. */
async function ofLinks(): Promise<string[]> {
  const rows = await rig.store.db.selectFrom('link_dimension_hours').selectAll().execute()
  return rows
    .map((row) => `${row.link_id} ${row.dimension} ${row.value}: ${row.clicks}/${row.visitors}`)
    .sort()
}

async function ofWorkspaces(): Promise<string[]> {
  const rows = await rig.store.db
    .selectFrom('workspace_hours')
    .selectAll()
    .where('dimension', 'in', [...SINGLE_DIMENSIONS])
    .execute()
  return rows
    .map((row) => `${row.workspace_id} ${row.dimension} ${row.value}: ${row.clicks}/${row.visitors}`)
    .sort()
}
