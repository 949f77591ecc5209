import { beforeAll, describe, expect, test } from 'bun:test'
import { DAY_US, systemClock } from '../../src/runtime/clock.ts'
import { forgetClosedReports } from '../../src/operator/reports/close-reports.ts'
import { eventually } from '../rigs/eventually.ts'
import { type TestUser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { invalid, open, refusal, TIMESTAMP } from '../specification/contract-rig.ts'

const rig = useOwnDashboardRig()
let operator: TestUser

let networks = 0

beforeAll(async () => {
  operator = await rig.user({ email: 'operator@example.com' })
})

describe('reports', () => {
  test('are listed by link, the newest first, with link and workspace', async () => {
    const one = await reportedLink()
    const two = await reportedLink()
    await report(one.code, { reason: 'spam', message: '<img src=x onerror=alert(1)>' })
    await one.owner.browser.succeed('PUT', `/links/${one.code}`, { url: 'https://elsewhere.example/' })
    const { data } = await list()
    const ids = data.map(({ link_id: id }: { link_id: number }) => id)
    expect(ids.slice(0, 2)).toEqual([one.id, two.id])
    expect(data[0]).toEqual({
      link_id: one.id,
      short_url: `${rig.config.baseUrl}/${one.code}`,
      reported_url: one.url,
      current: { original_url: 'https://elsewhere.example/', is_active: true },
      workspace: {
        id: expect.any(Number),
        name: one.owner.name,
        owner: one.owner.email,
        is_suspended: false,
      },
      count: 2,
      reports: [
        { reason: 'spam', message: '<img src=x onerror=alert(1)>' },
        { reason: 'phishing', message: '' },
      ].map((each) => ({
        id: expect.any(Number),
        ...each,
        reported_at: expect.stringMatching(TIMESTAMP),
        closed_at: null,
        closed_by: null,
      })),
    })
  })

  test('are dismissed, and stand among the closed ones then', async () => {
    const { id, code } = await reportedLink()
    await report(code)
    const { status, body } = await close(id, 'dismiss')
    expect([status, body.data]).toEqual([200, { closed: 2 }])
    expect(await listed(id)).toBeUndefined()
    const closed = await listed(id, 'state=closed')
    expect(closed).toMatchObject({ count: 2, current: { is_active: true } })
    for (const each of closed.reports)
      expect(each).toMatchObject({ closed_at: expect.stringMatching(TIMESTAMP), closed_by: operator.name })
    expect((await close(id, 'dismiss')).status).toBe(404)
    await report(code)
    expect(await listed(id)).toMatchObject({ count: 1 })
    expect((await listed(id, 'state=closed')).count).toBe(2)
  })

  test('that were dismissed are opened again, those of the last time only', async () => {
    const { id, code, owner } = await reportedLink()
    const reopen = () => operator.browser.request('POST', `/admin/reports/${id}/reopen`)
    expect((await reopen()).body).toEqual(
      refusal('report_not_found', 'There is no closed report about this link.'),
    )
    await close(id, 'dismiss')
    await report(code)
    await report(code)
    await close(id, 'dismiss')
    const { status, body } = await reopen()
    expect([status, body.data]).toEqual([200, { reopened: 2 }])
    const { count, reports } = await listed(id)
    expect(count).toBe(2)
    for (const each of reports) expect(each).toMatchObject({ closed_at: null, closed_by: null })
    expect((await listed(id, 'state=closed')).count).toBe(1)
    const log = await owner.browser.succeed('GET', '/audit-log')
    expect(log[0]).toMatchObject({
      action: 'link.reports_reopened',
      target_id: id,
      changes: { reports: { from: 0, to: 2 } },
    })
  })

  test('end with the host blocked', async () => {
    const { id, code, host } = await reportedLink()
    expect((await close(id, 'block_host')).status).toBe(200)
    const hosts = await operator.browser.succeed('GET', '/admin/blocked-hosts')
    expect(hosts).toContainEqual({
      host,
      reason: 'Reported by visitors',
      blocked_at: expect.stringMatching(TIMESTAMP),
    })
    expect((await open(rig, code)).status).toBe(410)
    expect(await listed(id)).toBeUndefined()
  })

  test('end with the link disabled, which its history shows', async () => {
    const { id, code, owner } = await reportedLink()
    expect((await close(id, 'disable_link')).status).toBe(200)
    expect((await open(rig, code)).status).toBe(404)
    const versions = await owner.browser.succeed('GET', `/links/${code}/versions`)
    expect(versions[0].changes).toMatchObject({ is_active: { from: true, to: false } })
    expect(await listed(id)).toBeUndefined()
  })

  test('end with the workspace suspended', async () => {
    const { id, code, owner } = await reportedLink()
    expect((await close(id, 'suspend_workspace')).status).toBe(200)
    expect((await open(rig, code)).status).toBe(410)
    expect((await owner.browser.request('GET', '/links')).status).toBe(401)
    expect(await listed(id, 'state=closed')).toMatchObject({ workspace: { is_suspended: true } })
  })

  test('end with the second workspace of a user suspended, and not the first', async () => {
    const { browser, email } = await rig.user()
    const own = await browser.succeed('POST', '/links', { url: 'https://example.com/' })
    const { id } = await browser.succeed('POST', '/workspaces', { name: 'Second' })
    await browser.succeed('POST', `/workspaces/${id}/choose`)
    const link = await browser.succeed('POST', '/links', { url: 'https://second.example/' })
    await report(link.short_code)
    expect(await listed(link.id)).toMatchObject({ workspace: { name: 'Second', owner: email } })
    expect((await close(link.id, 'suspend_workspace')).status).toBe(200)
    expect((await open(rig, link.short_code)).status).toBe(410)
    expect((await open(rig, own.short_code)).status).toBe(302)
  })

  test('survive their link, which can no longer be disabled', async () => {
    const { id, code, owner } = await reportedLink()
    await owner.browser.succeed('DELETE', `/links/${code}`)
    expect(await listed(id)).toMatchObject({ current: null, workspace: { owner: owner.email } })
    const { status, body } = await close(id, 'disable_link')
    expect([status, body]).toEqual([404, refusal('link_not_found', 'This link has been deleted.')])
    expect(await listed(id)).toMatchObject({ count: 1 })
    expect((await close(id, 'dismiss')).status).toBe(200)
  })

  test.each([undefined, 'delete', 7])('are not closed by %s', async (action) => {
    const { id } = await reportedLink()
    const { status, body } = await close(id, action as string)
    const sentence = 'The action must be one of dismiss, block_host, disable_link, suspend_workspace.'
    expect([status, body]).toEqual([422, invalid({ action: [sentence] })])
    expect(await listed(id)).toMatchObject({ count: 1 })
  })

  test('are forgotten ninety days after they were closed, and never while they are open', async () => {
    const closed = await reportedLink()
    const left = await reportedLink()
    await close(closed.id, 'dismiss')
    const ids = async () =>
      (await rig.store.db.selectFrom('link_reports').select('link_id').execute()).map((row) => row.link_id)
    await forgetClosedReports(rig.store.relaxedDb, systemClock.nowUs() + 89 * DAY_US)
    expect(await ids()).toContain(closed.id)
    await forgetClosedReports(rig.store.relaxedDb, systemClock.nowUs() + 91 * DAY_US)
    expect(await ids()).not.toContain(closed.id)
    expect(await ids()).toContain(left.id)
  })
})

describe('operators', () => {
  const other = useOwnDashboardRig()

  test('are mailed five reports an hour, without a word of the visitor', async () => {
    const { browser, email } = await other.user({ email: 'boss@example.com' })
    const { short_code: code } = await browser.succeed('POST', '/links', { url: 'https://evil.example/' })
    const send = (message: string) =>
      other.call('POST', `/report/${code}`, {
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Sec-Fetch-Site': 'same-origin',
          'X-Forwarded-For': `10.10.${++networks}.7`,
        },
        body: new URLSearchParams({ reason: 'illegal', message }).toString(),
      })
    for (let i = 0; i < 8; i++) expect((await send('Read me')).status).toBe(303)
    const reports = () => other.mailServer.mails.filter(({ source }) => source.includes('was reported'))
    await eventually(
      async () => reports().length,
      (count) => count === 5,
    )
    const service = new URL(other.config.baseUrl).host
    await other.mailTo(email).then(async (first) => {
      expect(first.subject).toBe(`A link was reported at ${service}`)
      expect(first.text).toContain(`${other.config.baseUrl}/${code}`)
      expect(first.text).toContain('Illegal content')
      expect(first.text).toContain(`${other.config.baseUrl}/dashboard/admin/reports`)
      expect(first.text).not.toMatch(/Read me|evil\.example/)
    })
    // One that is sent behind them has come, so no sixth is on its way.
    await other.browser().succeed('POST', '/forgot-password', { email })
    await eventually(
      async () => other.mailServer.mails,
      (mails) => mails.some(({ source }) => source.includes('Choose a new password')),
    )
    expect(reports()).toHaveLength(5)
  })
})

async function report(code: string, fields: { reason?: string; message?: string } = {}): Promise<void> {
  const { status } = await rig.call('POST', `/report/${code}`, {
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': `10.9.${++networks}.7`,
    },
    body: new URLSearchParams({ reason: 'phishing', ...fields }).toString(),
  })
  expect(status).toBe(303)
}

async function reportedLink(url = `https://${crypto.randomUUID()}.example/page`) {
  const owner = await rig.user()
  const link = await owner.browser.succeed('POST', '/links', { url })
  await report(link.short_code)
  return { owner, url, id: link.id as number, code: link.short_code as string, host: new URL(url).host }
}

const list = async (query = '') =>
  (await operator.browser.request('GET', `/admin/reports?per_page=100&${query}`)).body
const listed = async (id: number, query = '') =>
  (await list(query)).data.find((link: { link_id: number }) => link.link_id === id)
const close = (id: number, action?: string) =>
  operator.browser.request('POST', `/admin/reports/${id}/close`, { action })
