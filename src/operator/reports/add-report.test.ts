import { COMMAND_LINE } from '../../access/caller.ts'
import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { describe, expect, test } from 'bun:test'
import { addAccount } from '../../../test/rigs/service/add-account.ts'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { defaultKey } from '../../links/link-key.ts'
import { manualClock } from '../../runtime/clock.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'
import { transact } from '../../store/transact.ts'
import { addReport, OPEN_MAX, OPEN_OF_LINK_MAX, ReportsOfNetworks } from './add-report.ts'
import { closeReports } from './close-reports.ts'
import { listReportedLinks } from './list-reports.ts'
import type { Reason } from './report-fields.ts'

const store = useTestStore()

const REPORTS: RowInsert = {
  table: 'link_reports',
  columns: ['workspace_id', 'link_id', 'short_url', 'original_url', 'reason', 'message', 'reported_at'],
  texts: ['short_url', 'original_url', 'reason', 'message'],
}

describe('a network has one open report about a link', () => {
  test('its newest, and the others are counted', async () => {
    const { report, open, results } = await reportedStore()
    expect(await report('spam', '10.0.0.1', 'first')).toBe(true)
    expect(await report('spam', '10.0.0.99', 'second')).toBe(false)
    expect(await open()).toEqual([['spam', 'second', 1]])
    expect(await report('spam', '10.0.1.1', 'other')).toBe(true)
    expect(await open()).toEqual([
      ['spam', 'second', 1],
      ['spam', 'other', 0],
    ])
    expect(results).toEqual({ stored: 2, merged: 1, dropped: 0 })
  })

  test('its gravest: a graver one takes the place, a lesser one is counted', async () => {
    const { report, open } = await reportedStore()
    const ip = '2001:db8:1:2::3'
    expect(await report('other', ip, 'a')).toBe(true)
    expect(await report('phishing', '2001:db8:1:ffff::9', 'b')).toBe(true)
    expect(await report('illegal', ip, 'c')).toBe(false)
    expect(await report('phishing', ip, 'd')).toBe(false)
    expect(await open()).toEqual([['phishing', 'd', 3]])
  })

  test('until it is closed, or the server has started again', async () => {
    const { report, close, open, restart } = await reportedStore()
    await report('spam', '10.0.0.1', 'a')
    await report('spam', '10.0.0.1', 'b')
    expect(await close()).toBe(2)
    expect(await report('spam', '10.0.0.1', 'c')).toBe(true)
    restart()
    expect(await report('spam', '10.0.0.1', 'd')).toBe(true)
    expect(await open()).toEqual([
      ['spam', 'c', 0],
      ['spam', 'd', 0],
    ])
  })
})

describe('of more than 20 reports about a link', () => {
  test('the gravest and the newest are kept, and all are counted', async () => {
    const { report, open, listed } = await reportedStore()
    expect(OPEN_OF_LINK_MAX).toBe(20)
    for (let n = 0; n < 19; n++) await report('other', undefined, `junk ${n}`)
    await report('spam', undefined, 'spam')
    expect(await report('phishing', undefined, 'It took my password.')).toBe(true)
    const reports = await open()
    expect(reports).toHaveLength(20)
    expect(reports[0]).toEqual(['other', 'junk 1', 0])
    expect(reports.at(-1)).toEqual(['phishing', 'It took my password.', 1])
    for (let n = 0; n < 30; n++) await report('other', undefined, `more ${n}`)
    expect((await open())[0]).toEqual(['spam', 'spam', 0])
    expect((await open())[1]).toEqual(['phishing', 'It took my password.', 1])
    expect((await open()).at(-1)![1]).toBe('more 29')
    expect(await listed()).toMatchObject({ count: 51, reports: { length: 20 } })
  })

  test('a lesser one is counted only', async () => {
    const { report, open, results, listed } = await reportedStore()
    for (let n = 0; n < 20; n++) await report('illegal')
    expect(await report('spam')).toBe(false)
    expect((await open()).at(-1)).toEqual(['illegal', '', 1])
    expect(results).toEqual({ stored: 20, merged: 1, dropped: 0 })
    expect((await listed()).count).toBe(21)
  })
})

describe('where 5,000 reports are open', () => {
  test('a new one takes the place of the oldest of the least grave', async () => {
    const { report, count, open, results } = await reportedStore({ others: OPEN_MAX })
    expect(OPEN_MAX).toBe(5_000)
    expect(await report('phishing')).toBe(true)
    expect([await count(), await open()]).toEqual([5_000, [['phishing', '', 0]]])
    expect(results).toEqual({ stored: 0, merged: 0, dropped: 1 })
  })

  test('the only report about a link stays, as long as another link has several', async () => {
    const { report, count, open, results } = await reportedStore({ others: OPEN_MAX - 2, reason: 'other' })
    for (let n = 0; n < 4; n++) await report('phishing')
    expect([await count(), (await open()).length]).toEqual([5_000, 2])
    expect(results).toEqual({ stored: 2, merged: 2, dropped: 0 })
  })

  test('a lesser one is dropped, and that is counted', async () => {
    const { report, close, someOther, open, count, results } = await reportedStore({
      others: OPEN_MAX,
      reason: 'phishing',
    })
    expect([await report('spam'), await open()]).toEqual([false, []])
    expect(results.dropped).toBe(1)
    expect(await close(someOther)).toBe(1)
    expect([await report('spam'), await count()]).toEqual([true, 5_000])
  })
})

/** A link that can be reported, and open reports about that number of other links, of the reason. */
async function reportedStore({ others = 0, reason = 'spam' }: { others?: number; reason?: Reason } = {}) {
  const { workspaceId } = await addAccount(store.db, { email: 'ann@example.com' })
  const clock = manualClock(NOON_US)
  const original_url = 'https://example.com/'
  const { id } = await store.db
    .insertInto('links')
    .values({
      workspace_id: workspaceId,
      code: 'launch',
      svc_id: '',
      original_url,
      target_url: null,
      title: '',
      is_active: 1,
      created_at: NOON_US,
      updated_at: NOON_US,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await store.db
    .insertInto('codes')
    .values({ code: 'launch', workspace_id: workspaceId, link_id: id })
    .execute()
  const rows = Array.from({ length: others }, (_, index) => {
    const linkId = id + 1 + index
    const shortUrl = `https://s.example/other-${linkId}`
    return [workspaceId, linkId, shortUrl, original_url, reason, '', NOON_US] as const
  })
  await transact(store.db, (tx) => writeRows(tx, REPORTS, rows))
  const results = { stored: 0, merged: 0, dropped: 0 }
  const counter = (name: keyof typeof results) => ({ add: () => void results[name]++ })
  const linkReports = {
    stored: counter('stored'),
    merged: counter('merged'),
    dropped: counter('dropped'),
  } as unknown as Metrics['linkReports']
  const deps = { db: store.db, clock, domains: noOtherDomains('https://s.example'), metrics: { linkReports } }
  let ofNetworks = new ReportsOfNetworks()
  let networks = 0
  return {
    results,
    someOther: id + 1,
    restart: () => void (ofNetworks = new ReportsOfNetworks()),
    /** True if the operators should hear of it. */
    async report(reason: Reason, ip = `10.${++networks >> 8}.${networks & 255}.7`, message = '') {
      const added = await addReport({ ...deps, ofNetworks }, defaultKey('launch'), { reason, message, ip })
      return added !== undefined
    },
    close: (linkId = id) => closeReports(deps, COMMAND_LINE, linkId),
    /** Of the link, the oldest first: reason, message and the number of others. */
    open: async () =>
      (
        await store.db
          .selectFrom('link_reports')
          .select(['reason', 'message', 'more'])
          .where('link_id', '=', id)
          .where('closed_at', 'is', null)
          .orderBy('id')
          .execute()
      ).map(({ reason, message, more }) => [reason, message, more]),
    listed: async () => (await listReportedLinks(store.db, { state: 'open', page: 1, perPage: 1 })).links[0]!,
    count: async () =>
      (await store.db.selectFrom('link_reports').select('id').where('closed_at', 'is', null).execute())
        .length,
  }
}
