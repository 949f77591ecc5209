import { expect, test } from 'bun:test'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { DAY_US } from '../../runtime/clock.ts'
import { useTestStore, testOnSqlite } from '../../../test/rigs/store/test-store.ts'
import { purgeClicks } from './purge-clicks.ts'

const KEEP_DAYS = 30
const LIMIT_US = NOON_US - KEEP_DAYS * DAY_US

const store = useTestStore()

test('nothing is removed from nothing', async () => {
  await purge()
  expect(await timesLeft()).toEqual([])
})

testOnSqlite('a click is kept to the last microsecond of its days', async () => {
  await addClicks([LIMIT_US - 1, LIMIT_US, LIMIT_US + 1])
  await purge()
  expect(await timesLeft()).toEqual([LIMIT_US, LIMIT_US + 1])
})

testOnSqlite('many are removed in small steps, all in one run, and the counters stay', async () => {
  const total = { workspace_id: 1, clicks: 7, visitors: 3, bots: 0, last_clicked_at: LIMIT_US - 1 }
  await store.db.insertInto('workspace_totals').values(total).execute()
  await addClicks(Array(12_345).fill(LIMIT_US - 1))
  await addClicks([NOON_US])
  await purge()
  expect(await timesLeft()).toEqual([NOON_US])
  expect(await store.db.selectFrom('workspace_totals').selectAll().execute()).toEqual([total])
})

testOnSqlite('clicks that were counted late are removed with the others', async () => {
  await addClicks([NOON_US, LIMIT_US - 1, NOON_US, LIMIT_US - 2])
  await purge()
  expect(await timesLeft()).toEqual([NOON_US, NOON_US])
})

testOnSqlite('with no days to keep, none stays', async () => {
  await addClicks([LIMIT_US, NOON_US - 1])
  await purge(0)
  expect(await timesLeft()).toEqual([])
})

async function addClicks(times: readonly number[]): Promise<void> {
  for (let from = 0; from < times.length; from += 1000) {
    const rows = times.slice(from, from + 1000).map((clickedAtUs) => ({
      link_id: 1,
      workspace_id: 1,
      clicked_at: clickedAtUs,
      dimensions_id: 0,
      visitor: null,
      is_bot: 0,
    }))
    await store.relaxedDb.insertInto('clicks').values(rows).execute()
  }
}

async function timesLeft(): Promise<number[]> {
  const rows = await store.db.selectFrom('clicks').select('clicked_at').orderBy('id').execute()
  return rows.map((row) => row.clicked_at)
}

const purge = (keepDays = KEEP_DAYS) => purgeClicks(store.relaxedDb, { nowUs: NOON_US, keepDays })
