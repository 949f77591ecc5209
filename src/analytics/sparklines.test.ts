import { expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { aFact, insertFacts, queriesOf } from '../../test/rigs/clicks/fact-rows.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { dayOf, HOUR_US } from '../runtime/clock.ts'
import { SPARKLINE_DAYS, sparklines } from './sparklines.ts'

const TODAY = dayOf(NOON_US)
const rig = useAccountRig()

test('each of thirty days has its clicks, and no others', async () => {
  await add(1, TODAY * 24 + 3, 2, 5)
  await add(1, (TODAY - 1) * 24, 4)
  await add(1, (TODAY - 1) * 24 + 23, 1)
  await add(2, (TODAY - 29) * 24, 3)
  await add(2, (TODAY - 30) * 24 + 23, 100)
  await add(2, (TODAY + 1) * 24, 100)
  await add(3, TODAY * 24, 100)
  const lines = await linesOf([1, 2])
  expect([...lines.keys()]).toEqual([1, 2])
  expect([...lines.values()].map(({ length }) => length)).toEqual([30, 30])
  expect([daysBack(lines.get(1), 0), daysBack(lines.get(1), 1)]).toEqual([7, 5])
  expect([0, 29].map((days) => daysBack(lines.get(2), days))).toEqual([0, 3])
  const sum = (line: number[]) => line.reduce((total, clicks) => total + clicks)
  expect([...lines.values()].map(sum)).toEqual([12, 3])
  expect(await linesOf([])).toEqual(new Map())
})

const linesOf = (linkIds: number[]) =>
  sparklines({ clickQueries: queriesOf(rig.store), clock: rig.clock }, { workspaceId: 1, linkIds })

/** Rows of one hour, each of several clicks. */
const add = (link_id: number, hour: number, ...counts: number[]) =>
  insertFacts(
    rig.store.relaxedDb,
    counts.map((clicks) => aFact({ link_id, clicks, clicked_at: hour * HOUR_US })),
  )

const daysBack = (line: number[] | undefined, days: number) => line![SPARKLINE_DAYS - 1 - days]
