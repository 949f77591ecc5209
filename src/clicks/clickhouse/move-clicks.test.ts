import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { START_US } from '../../../test/rigs/clicks/click-store-rig.ts'
import { useClickHouse } from '../../../test/rigs/clicks/clickhouse-rig.ts'
import { lacksClickHouse } from '../../../test/rigs/clicks/clickhouse-server.ts'
import { becomes } from '../../../test/rigs/eventually.ts'
import { DAY_US, QUARTER_US } from '../../runtime/clock.ts'
import { removeClosedWorkspaces } from '../../workspaces/remove-closed-workspaces.ts'
import { ClickHouse } from './clickhouse.ts'

describe.skipIf(lacksClickHouse)('clicks that are moved to ClickHouse', () => {
  const used = useClickHouse()

  test('count once, with those of the table', async () => {
    const { rig } = used
    await rig.add([{}, {}, { clicks: 0, bots: 1 }])
    expect(await rig.total()).toBe(2)
    await rig.moveAll()
    expect([await rig.total(), await rig.storedRows()]).toEqual([2, 3])
    await rig.add([{}])
    expect([await rig.total(), await rig.storedRows()]).toEqual([3, 3])
  })

  test('are all but the latest, and only when they are many', async () => {
    const { rig } = used
    await rig.addMany(59_999)
    await rig.mover.run()
    expect(await rig.openRows()).toBe(59_999)
    await rig.addMany(2)
    await rig.mover.run()
    expect([await rig.openRows(), await rig.storedRows()]).toEqual([10_001, 50_000])
    expect(await rig.total()).toBe(60_001)
  })

  test('are of one month in each batch', async () => {
    const { rig } = used
    await rig.add([0, 20, 1, 21].map((days) => ({ clicked_at: START_US + days * DAY_US })))
    await rig.moveAll()
    const months = await rig.clickHouse.rows(
      `SELECT batch, count(), uniqExact(_partition_id) FROM clicks GROUP BY batch ORDER BY batch`,
    )
    expect(months).toEqual([
      [1, 2, 1],
      [2, 2, 1],
    ])
  })

  test('are moved once by several nodes', async () => {
    const { rig } = used
    await rig.add(Array.from({ length: 20 }, () => ({})))
    const moves = Array.from({ length: 4 }, (_, node) => rig.newMover().moveUpTo(5 * (node + 1)))
    await Promise.all(moves)
    await rig.moveAll()
    expect([await rig.total(), await rig.storedRows()]).toEqual([20, 20])
  })

  test('lose what is past the quarter of an hour when they are old, and no figure changes', async () => {
    const { rig } = used
    const times = [START_US - 31 * DAY_US + 1, START_US - 29 * DAY_US + 1]
    await rig.add(times.map((time) => ({ clicked_at: time })))
    await rig.moveAll()
    await rig.mover.run()
    const stored = () => rig.clickHouse.rows('SELECT clicked_at FROM clicks ORDER BY clicked_at')
    await becomes(stored, [[times[0]! - 1], [times[1]!]])
    expect(times[0]! % QUARTER_US).toBe(1)
    rig.clock.advance(2 * DAY_US)
    await rig.mover.run()
    await becomes(stored, [[times[0]! - 1], [times[1]! - 1]])
    expect(await rig.total()).toBe(2)
  })

  test('of a closed workspace are removed, and no others', async () => {
    const { rig } = used
    await rig.add([{ workspace_id: 1 }, { workspace_id: 2 }])
    await rig.moveAll()
    await rig.add([{ workspace_id: 2 }])
    await rig.store.db
      .insertInto('workspaces')
      .values({ id: 2, name: '', plan: 'free', subscription_status: '', created_at: 0, closed_at: 1 })
      .execute()
    const { clock, mover, store } = rig
    await removeClosedWorkspaces({ db: store.relaxedDb, clock, closedClicks: mover })
    expect([await rig.total(), await rig.storedRows()]).toEqual([1, 1])
    const workspaces = await store.db.selectFrom('workspaces').select('id').where('id', '=', 2).execute()
    expect(workspaces).toEqual([])
  })

  test('wait in the table while ClickHouse is away; reports are refused until it is back', async () => {
    const { rig } = used
    await rig.add([{}])
    await rig.moveAll()
    await rig.add([{}])
    const nowhere = new ClickHouse('http://127.0.0.1:1/tern')
    await expect(rig.newMover(nowhere).moveUpTo(2)).rejects.toMatchObject({ code: 'away' })
    await expect(rig.total(rig.newQueries(nowhere))).rejects.toMatchObject({
      name: 'Refusal',
      code: 'store_unavailable',
      message: 'ClickHouse does not answer at the moment. Clicks are counted, and shown when it does.',
    })
    expect(await rig.openRows()).toBe(1)
    expect(await rig.total()).toBe(2)
  })

  test('are not reported while too many are in the table', async () => {
    const { rig } = used
    await rig.addMany(100_001)
    await sql`UPDATE clicks SET link_id = id`.execute(rig.store.relaxedDb)
    const byLink = () => rig.answer({ groups: [{ by: ['link_id'], top: 2 }] })
    await expect(byLink()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'Clicks are being moved to ClickHouse. Reports are answered when that is done.',
    })
    await rig.mover.moveUpTo(1)
    expect((await byLink())[0]!.map(({ keys }) => keys[0])).toEqual([100_001, 100_000])
  })

  test('are never mixed with those of another store', async () => {
    const { rig } = used
    await rig.add([{}])
    await rig.moveAll()
    await rig.store.relaxedDb.updateTable('store_identity').set({ id: 'another' }).execute()
    const fault =
      'The database that CLICKHOUSE_URL names has the clicks of another store, or another table clicks.'
    await rig.add([{}])
    await expect(rig.newMover().moveUpTo(2)).rejects.toThrow(fault)
    await expect(rig.total(rig.newQueries())).rejects.toThrow(fault)
    expect([await rig.openRows(), await rig.storedRows()]).toEqual([1, 1])
  })

  test('are not begun again in an empty database', async () => {
    const { rig } = used
    await rig.add([{}])
    await rig.moveAll()
    await rig.clickHouse.run('DROP TABLE clicks SYNC')
    await rig.add([{}])
    const fault = 'The database that CLICKHOUSE_URL names has no table clicks.'
    await expect(rig.newMover().moveUpTo(2)).rejects.toThrow(fault)
    await expect(rig.total(rig.newQueries())).rejects.toThrow(fault)
    expect(await rig.openRows()).toBe(1)
  })

  test('are given up when the mover is closed', async () => {
    const { rig } = used
    await rig.addMany(60_000)
    const mover = rig.newMover(new ClickHouse(rig.url))
    const run = mover.run()
    await mover.close()
    await run
    expect(await rig.total()).toBe(60_000)
    await rig.mover.run()
    expect(await rig.total()).toBe(60_000)
  })
})
