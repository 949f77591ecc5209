import { expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { aFact, insertFacts, queriesOf } from '../../test/rigs/clicks/fact-rows.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { HOUR_US } from '../runtime/clock.ts'
import { clicksBetween } from './clicks-between.ts'

const rig = useAccountRig()

test('clicks belong to the span in which their whole quarter of an hour lies', async () => {
  await addHours(1, { 1: 1, 2: 2, 4: 4, 7: 8, 20: 16 })
  await addHours(2, { 1: 100 })
  expect(await between(1, 0, 3.5, 7)).toEqual([3, 4, 24])
  expect(await between(1, 1.1, 3, 3, 3.5)).toEqual([3, 0, 0, 28])
  expect(await between(3, 0, 5.5)).toEqual([0, 0])
  expect(await between(1)).toEqual([])
})

test('the spans on both sides of a time are unknown if its quarter of an hour has clicks, and no others', async () => {
  await addHours(4, { 1: 1, 4: 4, 8: 8, 9: 0 })
  expect(await between(4, 0, 4.2, 6)).toEqual([null, null, 8])
  expect(await between(4, 0, 4.25, 6)).toEqual([5, 0, 8])
  expect(await between(4, 0, 4, 6)).toEqual([1, 4, 8])
  expect(await between(4, 0, 4.1, 4.2, 9.5)).toEqual([null, null, null, 0])
})

const addHours = (link_id: number, clicksOf: Record<number, number>) =>
  insertFacts(
    rig.store.relaxedDb,
    Object.entries(clicksOf).map(([hour, clicks]) =>
      aFact({ link_id, clicks, bots: 1, clicked_at: NOON_US + Number(hour) * HOUR_US }),
    ),
  )
/** Times in hours from noon. */
const between = (linkId: number, ...hours: number[]) =>
  clicksBetween(queriesOf(rig.store), {
    workspaceId: 1,
    linkId,
    timesUs: hours.map((hour) => NOON_US + hour * HOUR_US),
    nowUs: NOON_US + 20.5 * HOUR_US,
  })
