import { expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { dayOf } from '../runtime/clock.ts'
import { rangeClicks } from './range-clicks.ts'

const DAY = dayOf(NOON_US)
const rig = useAccountRig()

const COUNTS = { visitors: 1, bots: 0 }

test('hours count from the first to the last, of all dimension sets, and of no other link', async () => {
  await addHours(1, { 3: 1, 4: 2, 9: 4, 10: 8 })
  await addHours(1, { 4: 16 }, 2)
  await addHours(2, { 9: 5 })
  await addHours(4, { 5: 100 })
  expect(await clicks(4, 10)).toEqual({ 1: 22, 2: 5 })
  expect(await clicks(-100, 100)).toEqual({ 1: 31, 2: 5 })
  expect(await clicks(11, 12)).toEqual({})
  expect(await rangeClicks(rig.store.reportDb, [], { fromHour: 0, toHour: 1 })).toEqual(new Map())
})

test('days that are rolled up are read from their rollups, and what is between and after them from its hours', async () => {
  await addHours(1, { [-30]: 1, [-25]: 2, [-20]: 100, [-1]: 100, 5: 100, 6: 4, 30: 8 })
  await addSums(1, DAY - 1, { [-20]: 16, [-1]: 32 })
  // The running day, up to its sixth hour.
  await addSums(1, DAY, { 2: 64, 5: 128 })
  expect(await clicks(-48, 48)).toEqual({ 1: 1 + 2 + 16 + 32 + 64 + 128 + 4 + 8 })
  // A range that begins and ends within days that are rolled up.
  expect(await clicks(-10, 4)).toEqual({ 1: 32 + 64 })
  expect(await clicks(4, 7)).toEqual({ 1: 128 + 4 })
  expect(await clicks(6, 31)).toEqual({ 1: 4 + 8 })
  expect(await clicks(-25, -24)).toEqual({ 1: 2 })
})

const addHours = (link_id: number, clicksOf: Record<number, number>, dimensions_id = 1) =>
  rig.db
    .insertInto('link_hours')
    .values(
      Object.entries(clicksOf).map(([hour, clicks]) => ({
        ...COUNTS,
        link_id,
        dimensions_id,
        clicks,
        hour: DAY * 24 + Number(hour),
      })),
    )
    .execute()
/** The sums of one day, which tell more than its hours do, so that it shows which were read. */
const addSums = (link_id: number, day: number, clicksOf: Record<number, number>) =>
  rig.db
    .insertInto('link_days')
    .values(
      Object.entries(clicksOf).map(([hour, clicks]) => ({
        ...COUNTS,
        link_id,
        dimension: 'hour',
        day,
        clicks,
        value: String(DAY * 24 + Number(hour)),
      })),
    )
    .execute()
const clicks = async (from: number, to: number) =>
  Object.fromEntries(
    await rangeClicks(rig.store.reportDb, [1, 2, 3], { fromHour: DAY * 24 + from, toHour: DAY * 24 + to }),
  )
