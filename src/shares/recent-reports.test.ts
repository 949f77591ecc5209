import { expect, test } from 'bun:test'
import { aFact, insertFacts, queriesOf } from '../../test/rigs/clicks/fact-rows.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { withoutColumns } from '../../test/rigs/store/broken-table.ts'
import { useTestStore } from '../../test/rigs/store/test-store.ts'
import { HOUR_US, manualClock, MINUTE_US } from '../runtime/clock.ts'
import type { PublicShare } from './find-public-share.ts'
import { RecentReports } from './recent-reports.ts'

const store = useTestStore()

test('a page is read once a minute, for each range and choice of panels', async () => {
  const { clock, clicksOf } = openReports()
  await click()
  expect(await Promise.all([clicksOf(), clicksOf(), clicksOf()])).toEqual([1, 1, 1])
  await click()
  clock.advance(MINUTE_US - 1)
  expect(await clicksOf()).toBe(1)
  expect(await clicksOf({ panels: [] })).toBe(2)
  expect(await clicksOf({}, '7d')).toBe(2)
  expect(await clicksOf({ id: 2 })).toBe(2)
  clock.advance(1)
  expect(await clicksOf()).toBe(2)
})

test('a report that fails is read again by the next visitor', async () => {
  const { clicksOf } = openReports()
  await click()
  await withoutColumns(store.db, 'clicks', async () => {
    await expect(clicksOf()).rejects.toThrow()
  })
  expect(await clicksOf()).toBe(1)
})

const SHARE: PublicShare = {
  id: 1,
  secret: 'secret',
  panels: ['clicks'],
  endsAtUs: null,
  passwordHash: null,
  createdAtUs: NOON_US,
  workspaceId: 1,
  workspaceName: 'Workspace',
  subject: { kind: 'link', id: 1, title: '', originalUrl: '', domainId: 0, code: 'launch' },
  sinceUs: NOON_US,
}

function openReports() {
  const clock = manualClock(NOON_US + HOUR_US)
  const reports = new RecentReports({
    clickQueries: queriesOf(store),
    domains: { idsFor: () => [] },
    clock,
  })
  const clicksOf = async (share: Partial<PublicShare> = {}, range: '7d' | '30d' = '30d') =>
    (await reports.report({ ...SHARE, ...share }, range)).clicks.count
  return { clock, clicksOf }
}

const click = () => insertFacts(store.relaxedDb, [aFact()])
