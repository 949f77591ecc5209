import { expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { HOUR_US, hourOf } from '../runtime/clock.ts'
import { clicksBetween } from './clicks-between.ts'

const rig = useAccountRig()
const NOON = hourOf(NOON_US)

test('clicks belong to the span in which their whole hour lies', async () => {
  await addHours(1, { 1: 1, 2: 2, 4: 4, 7: 8, 20: 16 })
  await addHours(2, { 1: 100 })
  expect(await between(1, 0, 3.5, 7)).toEqual([3, 4, 24])
  expect(await between(1, 1.5, 3, 3, 3.5)).toEqual([3, 0, 0, 28])
  expect(await between(3, 0, 5.5)).toEqual([0, 0])
  expect(await between(1)).toEqual([])
})

test('the spans on both sides of a time are unknown if its hour has clicks, and no others', async () => {
  await addHours(4, { 1: 1, 4: 4, 8: 8, 9: 0 })
  expect(await between(4, 0, 4.5, 6)).toEqual([null, null, 8])
  expect(await between(4, 0, 4, 6)).toEqual([1, 4, 8])
  expect(await between(4, 0, 4.2, 4.8, 9.5)).toEqual([null, null, null, 0])
})

const addHours = (link_id: number, clicksOf: Record<number, number>) =>
  rig.db
    .insertInto('link_hours')
    .values(
      Object.entries(clicksOf).map(([hour, clicks]) => ({
        link_id,
        dimensions_id: 1,
        clicks,
        visitors: 1,
        bots: 1,
        hour: NOON + Number(hour),
      })),
    )
    .execute()
/** Times in hours from noon. */
const between = (linkId: number, ...hours: number[]) =>
  clicksBetween(rig.store.reportDb, {
    linkId,
    timesUs: hours.map((hour) => NOON_US + hour * HOUR_US),
    nowUs: NOON_US + 20.5 * HOUR_US,
  })
