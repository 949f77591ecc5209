import { expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { DAY_US, dayOf } from '../runtime/clock.ts'
import { dailyUsage } from './daily-usage.ts'

const TODAY = dayOf(NOON_US)
const rig = useAccountRig()

const used = (workspaceId: number, daysAgo: number, requests: number) =>
  rig.db
    .insertInto('api_usage_days')
    .values({ workspace_id: workspaceId, day: TODAY - daysAgo, requests })
    .execute()

test('an account without requests has thirty days of none', async () => {
  const { workspaceId: id } = await rig.makeAccount()
  const usage = await dailyUsage(rig.deps, id)
  expect(usage.days).toHaveLength(30)
  expect([usage.days[0]!.date, usage.days[29]!.date]).toEqual(['2026-03-22', '2026-04-20'])
  expect(usage.days.every(({ requests }) => requests === 0)).toBe(true)
  expect([usage.lastSevenDays, usage.lastThirtyDays]).toEqual([0, 0])
})

test('the week is today and six days before, the month twenty-nine, and others’ requests are theirs', async () => {
  const { workspaceId: id } = await rig.makeAccount()
  const { workspaceId: other } = await rig.makeAccount({ email: 'bob@example.com' })
  for (const [daysAgo, requests] of [
    [0, 1],
    [6, 10],
    [7, 100],
    [29, 1000],
    [30, 10_000],
  ] as const) {
    await used(id, daysAgo, requests)
  }
  await used(other, 0, 7)
  const usage = await dailyUsage(rig.deps, id)
  expect([usage.lastSevenDays, usage.lastThirtyDays]).toEqual([11, 1111])
  expect(usage.days.filter(({ requests }) => requests > 0)).toEqual([
    { date: '2026-03-22', requests: 1000 },
    { date: '2026-04-13', requests: 100 },
    { date: '2026-04-14', requests: 10 },
    { date: '2026-04-20', requests: 1 },
  ])
  rig.clock.advance(DAY_US)
  expect((await dailyUsage(rig.deps, id)).days.at(-1)).toEqual({ date: '2026-04-21', requests: 0 })
})
