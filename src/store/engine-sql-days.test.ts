import { transact } from './transact.ts'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { failureOf } from '../../test/rigs/store/pool-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { DAY_US, dayOf, HOUR_US } from '../runtime/clock.ts'
import { isStoreUnavailable } from './store-errors.ts'
import { prepareClickDays, removeClicksBefore } from './engine-sql.ts'
import type { Store } from './open-store.ts'

const TODAY = dayOf(NOON_US)

const folders = temporaryFolders()
let store: Store
/** Of another node, where there can be one. */
let other: Store

describe.each(enginesToTest('the days of clicks'))('on %s', (engine) => {
  beforeEach(async () => {
    const dataDir = folders.make()
    store = await openTestStore(dataDir, engine)
    other = engine === 'postgres' ? await openTestStore(dataDir, engine) : store
  })
  afterEach(async () => {
    if (other !== store) await other.close()
    await store.close()
    folders.remove()
  })

  test('days are prepared by many at once, and again, and take clicks from their first moment to their last', async () => {
    const someDays = Array.from({ length: 6 }, (_, n) => [TODAY - n, TODAY - n + 1, TODAY - n + 2])
    await Promise.all(
      someDays.flatMap((days) => [store, other].map(({ relaxedDb }) => prepareClickDays(relaxedDb, days))),
    )
    await prepareClickDays(store.relaxedDb, new Set([TODAY]))
    await prepareClickDays(store.relaxedDb, [])
    const times = [TODAY - 5, TODAY, TODAY + 2].flatMap((day) => [day * DAY_US, (day + 1) * DAY_US - 1])
    await addClicks(times)
    expect(await timesLeft()).toEqual(times)
  })

  test('days are prepared while others write clicks of other days, and all are written', async () => {
    await prepareClickDays(store.relaxedDb, [TODAY])
    const times = Array.from({ length: 50 }, (_, n) => NOON_US + n)
    const writing = Promise.all(times.map((time) => addClicks([time])))
    for (let day = TODAY - 10; day < TODAY; day++) await prepareClickDays(other.relaxedDb, [day])
    await writing
    expect(await timesLeft()).toEqual(times)
  })

  test('clicks of days that are over are removed, and nothing else', async () => {
    const days = [TODAY - 2, TODAY - 1, TODAY, TODAY + 1]
    await prepareClickDays(store.relaxedDb, days)
    const times = days.flatMap((day) => [day * DAY_US, (day + 1) * DAY_US - 1])
    await addClicks(times)
    await removeClicksBefore(store.relaxedDb, TODAY * DAY_US)
    expect(await timesLeft()).toEqual(times.slice(4))
    await Promise.all(
      [store, other].map(({ relaxedDb }) => removeClicksBefore(relaxedDb, TODAY * DAY_US + HOUR_US)),
    )
    // Where days are tables, a day that has begun to be too old stays until it is wholly so.
    expect(await timesLeft()).toEqual(times.slice(engine === 'postgres' ? 4 : 5))
    await removeClicksBefore(store.relaxedDb, (TODAY + 10) * DAY_US)
    expect(await timesLeft()).toEqual([])
    await removeClicksBefore(store.relaxedDb, (TODAY + 10) * DAY_US)
    await prepareClickDays(store.relaxedDb, days)
    await addClicks(times)
    expect(await timesLeft()).toEqual(times)
  })

  test('nothing is removed where there was never a click', async () => {
    await removeClicksBefore(store.relaxedDb, NOON_US)
    expect(await timesLeft()).toEqual([])
  })

  if (engine === 'sqlite') return

  test('a day that was not prepared takes no clicks, which is a fault of ours', async () => {
    await prepareClickDays(store.relaxedDb, [TODAY])
    const failure = await failureOf(addClicks([NOON_US - DAY_US]))
    expect(failure).toMatchObject({ errno: '23514' })
    expect(isStoreUnavailable(failure)).toBe(false)
  })

  test('the table of each day is dropped, not emptied', async () => {
    await prepareClickDays(store.relaxedDb, [TODAY - 1, TODAY, TODAY + 1])
    await removeClicksBefore(store.relaxedDb, NOON_US)
    expect(await dayTables()).toEqual([`clicks_of_${TODAY}`, `clicks_of_${TODAY + 1}`])
  })

  test('a day that somebody reads for long is removed the next time, and nobody waits for it', async () => {
    await prepareClickDays(store.relaxedDb, [TODAY - 1, TODAY])
    await transact(store.db, async (tx) => {
      await tx.selectFrom('clicks').select('id').execute()
      const failure = await failureOf(removeClicksBefore(other.relaxedDb, NOON_US))
      expect(isStoreUnavailable(failure)).toBe(true)
    })
    expect(await dayTables()).toHaveLength(2)
    await removeClicksBefore(other.relaxedDb, NOON_US)
    expect(await dayTables()).toHaveLength(1)
  })
})

async function addClicks(times: readonly number[]): Promise<void> {
  const others = { link_id: 1, workspace_id: 1, dimensions_id: 0, visitor: null, is_bot: 0 }
  const rows = times.map((clicked_at) => ({ ...others, clicked_at }))
  await store.relaxedDb.insertInto('clicks').values(rows).execute()
}

async function timesLeft(): Promise<number[]> {
  const rows = await other.relaxedDb.selectFrom('clicks').select('clicked_at').orderBy('clicked_at').execute()
  return rows.map(({ clicked_at }) => clicked_at)
}

async function dayTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'clicks'::regclass ORDER BY name`.execute(store.db)
  return rows.map(({ name }) => name)
}
