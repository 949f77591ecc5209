import { COMMAND_LINE } from '../../access/caller.ts'
import { noOtherDomains } from '../../../test/rigs/no-other-domains.ts'
import { expect, test } from 'bun:test'
import { addAccount } from '../../../test/rigs/add-account.ts'
import { NOON_US } from '../../../test/rigs/journal-rig.ts'
import { useTestStore } from '../../../test/rigs/test-store.ts'
import { defaultKey } from '../../links/link-key.ts'
import { HOUR_US, manualClock } from '../../runtime/clock.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'
import { transact } from '../../store/transact.ts'
import { addReport, OPEN_MAX, REPORTS_PER_HOUR_MAX } from './add-report.ts'
import { closeReports } from './close-reports.ts'

const store = useTestStore()

const REPORTS: RowInsert = {
  table: 'link_reports',
  columns: ['account_id', 'link_id', 'short_url', 'original_url', 'reason', 'message', 'reported_at'],
  texts: ['short_url', 'original_url', 'reason', 'message'],
}

/** A link that can be reported, and open reports about that number of other links. */
async function reportedStore({ others, reportedAtUs }: { others: number; reportedAtUs: number }) {
  const { workspaceId } = await addAccount(store.db, { email: 'ann@example.com' })
  const clock = manualClock(NOON_US)
  const original_url = 'https://example.com/'
  const { id } = await store.db
    .insertInto('links')
    .values({
      ...{ account_id: workspaceId, code: 'launch', svc_id: '', original_url, target_url: null },
      ...{ title: '', is_active: 1, created_at: NOON_US, updated_at: NOON_US },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await store.db
    .insertInto('codes')
    .values({ code: 'launch', account_id: workspaceId, link_id: id })
    .execute()
  const rows = Array.from({ length: others }, (_, index) => {
    const linkId = id + 1 + index
    const shortUrl = `https://s.example/other-${linkId}`
    return [workspaceId, linkId, shortUrl, original_url, 'spam', '', reportedAtUs] as const
  })
  await transact(store.db, (tx) => writeRows(tx, REPORTS, rows))
  const deps = { db: store.db, clock, domains: noOtherDomains('https://s.example') }
  return {
    ...{ clock, someOther: id + 1 },
    report: async () =>
      (await addReport(deps, defaultKey('launch'), { reason: 'spam', message: '' })) !== undefined,
    close: (linkId: number) => closeReports(deps, COMMAND_LINE, linkId),
    count: async () => (await store.db.selectFrom('link_reports').select('id').execute()).length,
  }
}

test('within an hour, 200 reports are stored, closed ones among them', async () => {
  const { report, close, someOther, count, clock } = await reportedStore({
    others: REPORTS_PER_HOUR_MAX - 1,
    reportedAtUs: NOON_US,
  })
  expect(REPORTS_PER_HOUR_MAX).toBe(200)
  expect([await report(), await report()]).toEqual([true, false])
  expect(await close(someOther)).toBe(1)
  expect([await report(), await count()]).toEqual([false, 200])
  clock.advance(HOUR_US - 1)
  expect(await report()).toBe(false)
  clock.advance(1)
  expect([await report(), await count()]).toEqual([true, 201])
})

test('5,000 reports are open, and each that is closed makes room for another', async () => {
  const { report, close, someOther, count } = await reportedStore({
    others: OPEN_MAX - 1,
    reportedAtUs: NOON_US - HOUR_US,
  })
  expect(OPEN_MAX).toBe(5_000)
  expect([await report(), await report(), await count()]).toEqual([true, false, 5_000])
  expect(await close(someOther)).toBe(1)
  expect([await report(), await report(), await count()]).toEqual([true, false, 5_001])
})
