import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { aFact } from '../../test/rigs/clicks/fact-rows.ts'
import { failureOf } from '../../test/rigs/store/pool-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { monthOf, monthStartUs } from '../runtime/clock.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { isStoreUnavailable } from './store-errors.ts'
import { prepareClickMonths } from './engine-sql.ts'
import type { Store } from './open-store.ts'

const THIS_MONTH = monthOf(NOON_US)

const folders = temporaryFolders()
let store: Store
/** Of another node, where there can be one. */
let other: Store

describe.each(enginesToTest('the months of clicks'))('on %s', (engine) => {
  beforeEach(openNodes)
  afterEach(closeNodes)

  test('months are prepared by many at once, and again, and take clicks from their first moment to their last', async () => {
    const some = Array.from({ length: 14 }, (_, n) => [THIS_MONTH - n, THIS_MONTH - n + 1])
    await Promise.all(
      some.flatMap((months) => [store, other].map(({ relaxedDb }) => prepareClickMonths(relaxedDb, months))),
    )
    await prepareClickMonths(store.relaxedDb, new Set([THIS_MONTH]))
    await prepareClickMonths(store.relaxedDb, [])
    const times = [THIS_MONTH - 13, THIS_MONTH, THIS_MONTH + 1].flatMap((month) => [
      monthStartUs(month),
      monthStartUs(month + 1) - 1,
    ])
    await addClicks(times)
    expect(await timesOfAll()).toEqual(times)
  })

  test('months are prepared while others write clicks of other months, and all are written', async () => {
    await prepareClickMonths(store.relaxedDb, [THIS_MONTH])
    const times = Array.from({ length: 50 }, (_, n) => NOON_US + n)
    const writing = Promise.all(times.map((time) => addClicks([time])))
    for (let month = THIS_MONTH - 10; month < THIS_MONTH; month++)
      await prepareClickMonths(other.relaxedDb, [month])
    await writing
    expect(await timesOfAll()).toEqual(times)
  })

  if (engine === 'sqlite') return

  test('a month that was not prepared takes no clicks, which is a fault of ours', async () => {
    await prepareClickMonths(store.relaxedDb, [THIS_MONTH])
    const failure = await failureOf(addClicks([monthStartUs(THIS_MONTH) - 1]))
    expect(failure).toMatchObject({ errno: '23514' })
    expect(isStoreUnavailable(failure)).toBe(false)
  })

  async function openNodes(): Promise<void> {
    const dataDir = folders.make()
    store = await openTestStore(dataDir, engine)
    other = engine === 'postgres' ? await openTestStore(dataDir, engine) : store
  }

  async function closeNodes(): Promise<void> {
    if (other !== store) await other.close()
    await store.close()
    folders.remove()
  }
})

async function addClicks(times: readonly number[]): Promise<void> {
  const rows = times.map((clicked_at) => aFact({ clicked_at }))
  await store.relaxedDb.insertInto('clicks').values(rows).execute()
}

async function timesOfAll(): Promise<number[]> {
  const rows = await other.relaxedDb.selectFrom('clicks').select('clicked_at').orderBy('clicked_at').execute()
  return rows.map(({ clicked_at: time }) => time)
}
