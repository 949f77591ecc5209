import { describe, expect, test } from 'bun:test'
import { type ClickHouseRig, useClickHouse } from '../../test/rigs/clicks/clickhouse-rig.ts'
import { lacksClickHouse } from '../../test/rigs/clicks/clickhouse-server.ts'
import { START_US } from '../../test/rigs/clicks/click-store-rig.ts'
import { withPlugin } from '../../test/rigs/program/with-plugin.ts'
import { ClickHouse } from '../clicks/clickhouse/clickhouse.ts'
import { QUARTER_US } from '../runtime/clock.ts'
import { openClickLines } from './click-lines.ts'

/** Of a snapshot: what was merged, the batch, the first and last id, the clicks, and the first two again. */
const STATEMENTS = 6
/** Some pages, and more clicks of one quarter of an hour than a page has. */
const MANY = 25_000

describe.skipIf(lacksClickHouse)('clicks in ClickHouse are exported', () => {
  const used = useClickHouse()

  test('each once, at whatever statement they are moved there', async () => {
    const { rig } = used
    let count = 0
    for (let nth = 1; nth <= STATEMENTS; nth++) {
      await rig.add(Array.from({ length: 10 }, () => ({ referrer: `${++count}` })))
      let statements = 0
      const db = withPlugin(rig.store.reportDb, {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (++statements === nth) await rig.moveAll()
          return result
        },
      })
      await rig.total()
      const lines = await Array.fromAsync(await openClickLines({ db, clickHouse: rig.clickHouse }, 1))
      const referrers = lines.flat().map(({ referrer }) => Number(referrer))
      expect(referrers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i + 1))
      expect(statements).toBeGreaterThanOrEqual(nth)
    }
  })

  test('page by page, of the workspace only and with all that is known of them', async () => {
    const { rig } = used
    await rig.add([{ workspace_id: 2 }, { link_id: 3, clicked_at: START_US + QUARTER_US + 5, country: 'DE' }])
    await rig.addMany(MANY)
    await rig.moveAll()
    const lines = await linesOf(rig)
    expect(lines).toHaveLength(MANY + 1)
    expect(lines.at(-1)).toEqual({
      ...lines[0]!,
      link_id: 3,
      clicked_at: '2026-04-20T12:15:00.000005Z',
      country: 'DE',
    })
  })

  test('or refused while it is away', async () => {
    const nowhere = new ClickHouse('http://127.0.0.1:1/tern')
    await expect(
      openClickLines({ db: used.rig.store.reportDb, clickHouse: nowhere }, 1),
    ).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'Clicks cannot be read at the moment. Try again in a few seconds.',
    })
  })
})

async function linesOf({ store, clickHouse }: ClickHouseRig) {
  return (await Array.fromAsync(await openClickLines({ db: store.reportDb, clickHouse }, 1))).flat()
}
