import { describe, expect, test } from 'bun:test'
import { type ClickHouseRig, useClickHouse } from '../../../test/rigs/clicks/clickhouse-rig.ts'
import { lacksClickHouse } from '../../../test/rigs/clicks/clickhouse-server.ts'
import { START_US } from '../../../test/rigs/clicks/click-store-rig.ts'
import { checkClickHouse } from '../../doctor/check-clickhouse.ts'
import { HOUR_US, hourOf } from '../../runtime/clock.ts'
import { checkCounters } from '../repair/check-counters.ts'
import { deleteClicks } from './store-batch.ts'
import { sumBatches } from './sum-batches.ts'

const WHERE = ['the totals of a link', 'an hour of a workspace', 'what has another via']

describe.skipIf(lacksClickHouse)('clicks in ClickHouse are compared with the counters', () => {
  const used = useClickHouse()

  test('by link and by hour, with those of the table', async () => {
    const { rig } = used
    await addCounted(rig)
    expect(await brokenClaims(rig)).toEqual([])
    await rig.moveAll()
    expect(await brokenClaims(rig)).toEqual([])
    await deleteClicks(rig.clickHouse, `via = 'qr'`)
    const broken = await brokenClaims(rig)
    expect(broken).toHaveLength(WHERE.length)
    for (const [place, claim] of WHERE.entries()) expect(broken[place]).toStartWith(claim)
  })

  test('by tern doctor', async () => {
    const { rig } = used
    const { db } = rig.store
    const messages = async (url?: string) => (await checkClickHouse(db, url)).map(({ message }) => message)
    await addCounted(rig)
    expect(await messages()).toEqual([])
    expect(await messages(rig.url)).toEqual([
      expect.stringMatching(/^ClickHouse \d.* answers\. No clicks are in it yet\.$/),
    ])
    await rig.moveAll()
    expect(await messages(rig.url)).toEqual([
      expect.stringMatching(/^ClickHouse \d.* has 4 clicks, as many as were moved to it\.$/),
    ])
    expect(await messages()).toEqual([
      'Clicks of this store are in ClickHouse: set CLICKHOUSE_URL to its database.',
    ])
    await deleteClicks(rig.clickHouse, `via = 'qr'`)
    expect(await messages(rig.url)).toEqual([
      '3 clicks are in ClickHouse, but by the counters it should be 4.',
    ])
    expect(await messages('http://127.0.0.1:1/tern')).toEqual([
      expect.stringMatching(/^Reports of clicks cannot be answered\. ClickHouse does not answer: /),
    ])
  })
})

/** Three clicks and a bot in two hours, as the counters have them. */
async function addCounted(rig: ClickHouseRig): Promise<void> {
  const { relaxedDb: db } = rig.store
  const later = { clicked_at: START_US + HOUR_US }
  await rig.add([
    {},
    { via: 'qr', visitors: 0, workspace_visitors: 0 },
    { ...later, link_id: 2, workspace_visitors: 0 },
    { ...later, via: '', clicks: 0, visitors: 0, workspace_visitors: 0, bots: 1 },
  ])
  const total = { workspace_id: 1, last_clicked_at: START_US }
  await db
    .insertInto('link_totals')
    .values([
      { ...total, link_id: 1, clicks: 2, visitors: 1, bots: 1 },
      { ...total, link_id: 2, clicks: 1, visitors: 1, bots: 0 },
    ])
    .execute()
  await db
    .insertInto('workspace_totals')
    .values({ ...total, clicks: 3, visitors: 1, bots: 1 })
    .execute()
  const [first, second] = [hourOf(START_US), hourOf(START_US) + 1]
  const [two, one] = [
    { hour: first, clicks: 2, visitors: 1, bots: 0 },
    { hour: second, clicks: 1, visitors: 0, bots: 0 },
  ]
  const whole = ['country', 'device', 'browser', 'os', 'referrer']
  await db
    .insertInto('workspace_hours')
    .values([
      { workspace_id: 1, dimension: 'total', value: '', ...two },
      { workspace_id: 1, dimension: 'total', value: '', ...one, bots: 1 },
      { workspace_id: 1, dimension: 'via', value: 'qr', ...two, clicks: 1, visitors: 0 },
      ...whole.flatMap((dimension) =>
        [two, one].map((hour) => ({ workspace_id: 1, dimension, value: '', ...hour })),
      ),
    ])
    .execute()
}

/** Those of clicks: nothing was read from a journal. */
async function brokenClaims({ store: { db }, clickHouse }: ClickHouseRig): Promise<string[]> {
  const claims = await checkCounters(db, { closed: await sumBatches(clickHouse, db) })
  return claims
    .filter(({ broken, claim }) => broken.length > 0 && !claim.includes('journal'))
    .map(({ claim }) => claim)
}
