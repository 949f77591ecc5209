import { expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { dayOf } from '../runtime/clock.ts'
import { SPARKLINE_DAYS, sparklines } from './sparklines.ts'

const TODAY = dayOf(NOON_US)
const COUNTS = { visitors: 1, bots: 0 }
const rig = useAccountRig()

test('each of thirty days has its clicks, those of days that were rolled up from the rollups, and no others', async () => {
  await addHour(1, TODAY * 24 + 3, 2)
  await addHour(1, TODAY * 24 + 3, 5, 2)
  await addHour(1, (TODAY - 1) * 24, 4)
  await addHour(1, (TODAY - 1) * 24 + 23, 1)
  await addHour(2, (TODAY - 29) * 24, 3)
  await addHour(2, (TODAY - 30) * 24 + 23, 100)
  await addHour(2, (TODAY + 1) * 24, 100)
  await addHour(3, TODAY * 24, 100)
  // Not one of these hours is looked at: a hot link has thousands of rows for each day.
  await addHour(2, (TODAY - 2) * 24, 100)
  await addDay(2, (TODAY - 2) * 24 + 23, 8)
  // Of the running day the hours from there on are.
  await addHour(2, TODAY * 24 + 5, 100)
  await addDay(2, TODAY * 24 + 5, 6)
  await addHour(2, TODAY * 24 + 6, 1)
  const lines = await sparklines({ db: rig.store.readDb, clock: rig.clock }, [1, 2])
  expect([...lines.keys()]).toEqual([1, 2])
  expect([...lines.values()].map(({ length }) => length)).toEqual([30, 30])
  expect([daysBack(lines.get(1), 0), daysBack(lines.get(1), 1)]).toEqual([7, 5])
  expect([0, 2, 29].map((days) => daysBack(lines.get(2), days))).toEqual([7, 8, 3])
  const sum = (line: number[]) => line.reduce((total, clicks) => total + clicks)
  expect([...lines.values()].map(sum)).toEqual([12, 18])
  expect(await sparklines({ db: rig.store.readDb, clock: rig.clock }, [])).toEqual(new Map())
})

const addHour = (link_id: number, hour: number, clicks: number, dimensions_id = 1) =>
  rig.db
    .insertInto('link_hours')
    .values({ ...COUNTS, link_id, hour, dimensions_id, clicks })
    .execute()

/** Sums of a day up to this hour. */
const addDay = (link_id: number, hour: number, clicks: number) =>
  rig.db
    .insertInto('link_days')
    .values({
      ...COUNTS,
      link_id,
      dimension: 'hour',
      day: Math.floor(hour / 24),
      value: String(hour),
      clicks,
    })
    .execute()

const daysBack = (line: number[] | undefined, days: number) => line![SPARKLINE_DAYS - 1 - days]
