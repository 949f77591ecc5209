import { describe, expect, test } from 'bun:test'
import { COMMAND_LINE, operatorIn } from '../../src/access/caller.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { datesOf, lastPeriod } from '../../src/email-reports/report-period.ts'
import { unsubscribeHref } from '../../src/email-reports/unsubscribe.ts'
import { DAY_US, systemClock } from '../../src/runtime/clock.ts'
import { openBatchCounter } from '../rigs/clicks/batch-counter.ts'
import { aClick } from '../rigs/clicks/journal-rig.ts'
import { memberOf, type TestUser, useDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'
import { invalid } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
const owner = useUser(rig)

const TIMEZONE = 'Asia/Kolkata'
const NOT_CHOSEN = { frequency: 'off', timezone: null, next_at: null }

describe('the choice of email reports', () => {
  test('is none at first, and each member makes their own', async () => {
    const viewer = await memberOf(rig, owner, 'viewer')
    expect(await chosenBy(viewer)).toEqual(NOT_CHOSEN)
    await choose(viewer, { frequency: 'weekly', timezone: TIMEZONE })
    const { next_at: nextAt, ...choice } = await chosenBy(viewer)
    expect(choice).toEqual({ frequency: 'weekly', timezone: TIMEZONE })
    const next = Temporal.Instant.from(nextAt).toZonedDateTimeISO(TIMEZONE)
    expect([next.dayOfWeek, next.toPlainTime().toString()]).toEqual([1, '07:00:00'])
    expect(next.epochMilliseconds).toBeGreaterThan(Date.now())
    expect(await chosenBy(owner)).toEqual(NOT_CHOSEN)
    await choose(viewer, { frequency: 'off' })
    expect(await chosenBy(viewer)).toEqual({ frequency: 'off', timezone: TIMEZONE, next_at: null })
  })

  test('takes the time zone of the workspace where none is sent', async () => {
    const user = await rig.user()
    await user.browser.succeed('PUT', '/workspace/settings', { timezone: 'Europe/Berlin' })
    expect(await chosenBy(user)).toEqual({ ...NOT_CHOSEN, timezone: 'Europe/Berlin' })
    await choose(user, { frequency: 'monthly' })
    expect(await chosenBy(user)).toMatchObject({ frequency: 'monthly', timezone: 'Europe/Berlin' })
  })

  test('is refused with 422 if it is none, and stays as it was', async () => {
    const input = { frequency: 'weekly', timezone: TIMEZONE }
    await choose(owner, input)
    const before = await chosenBy(owner)
    for (const [change, errors] of [
      [{ frequency: 'daily' }, { frequency: ['The frequency must be one of off, weekly, monthly.'] }],
      [
        { timezone: 'Mars' },
        { timezone: ['The timezone must be a name of the IANA time zone database, such as Europe/Berlin.'] },
      ],
    ] as const) {
      const { status, body } = await owner.browser.request('PUT', '/email-report', { ...input, ...change })
      expect({ status, body }).toEqual({ status: 422, body: invalid(errors as never) })
    }
    expect(await chosenBy(owner)).toEqual(before)
    await choose(owner, { frequency: 'off' })
  })

  test('goes with the membership', async () => {
    const member = await memberOf(rig, owner, 'editor')
    await choose(member, { frequency: 'weekly', timezone: TIMEZONE })
    await owner.browser.succeed('DELETE', `/members/${member.userId}`, {})
    const rows = rig.store.db.selectFrom('email_reports').select('user_id')
    expect(await rows.where('user_id', '=', member.userId).execute()).toEqual([])
  })
})

describe('a report', () => {
  test('has the figures that the API answers for these days', async () => {
    const user = await rig.user()
    const period = lastPeriod({ frequency: 'weekly', timezone: TIMEZONE }, systemClock.nowUs())
    await countClicks(user, period)
    const text = await reportTo(user)
    const answer = await answersOf(user, period)
    const { clicks, links, countries, sources } = answer
    const total = clicks.meta.total
    const previous = clicks.meta.comparison.previous_clicks
    expect([total, previous]).toEqual([9, 6])
    const visitors = sum(clicks.data, (point) => point.unique_visitors)
    const visitorsBefore = sum(clicks.data, (point) => point.previous.unique_visitors)
    expect(text).toContain(
      [
        `Clicks: ${total} (+50% from ${previous})`,
        `Visitors: ${visitors} (+${Math.round((visitors / visitorsBefore - 1) * 100)}% from ${visitorsBefore})`,
        '',
        'Top links',
        ...links.data.map((link: any) => `${link.title} (${link.domain}/${link.short_code}): ${link.clicks}`),
        '',
        'Countries',
        ...countries.data.map((row: any) => `${row.country}: ${shareOf(row)}`),
        '',
        'Sources',
        ...sources.data.map((row: any) => `${row.source ?? 'Direct or unknown'}: ${shareOf(row)}`),
      ].join('\n'),
    )
    expect([links.data.length, countries.data.length, sources.data.length]).toEqual([2, 2, 2])
  })

  test('ends with one POST from anywhere, without a session, however often it comes', async () => {
    const path = await unsubscribePath(owner)
    for (let again = 0; again < 2; again++) {
      const headers = { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' }
      const { status, text } = await post(path, headers)
      expect([status, text.includes('You are unsubscribed')]).toEqual([200, true])
      expect(await chosenBy(owner)).toMatchObject({ frequency: 'off', next_at: null })
    }
  })

  test('does not end when its link is only opened, which shows a button without a script', async () => {
    const path = await unsubscribePath(owner)
    for (const method of ['GET', 'HEAD']) {
      const { status, text, headers } = await rig.call(method, path)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('content-security-policy')).toContain("form-action 'self'")
      if (method === 'GET') expect(text).toMatch(/<form[^>]* method="post">\s*<button/)
    }
    expect((await rig.call('DELETE', path)).status).toBe(405)
    expect(await chosenBy(owner)).toMatchObject({ frequency: 'weekly' })
  })

  test('does not end by the link of another member, or by one that was changed', async () => {
    const viewer = await memberOf(rig, owner, 'viewer')
    const path = await unsubscribePath(owner)
    const other = await unsubscribePath(viewer)
    const [signature, otherSignature] = [path, other].map((each) => each.split('.')[2]!)
    for (const wrong of [
      path.replace(signature!, otherSignature!),
      other.replace(otherSignature!, signature!),
      path.slice(0, -1),
      `${path}a`,
      path.replace(`.${owner.userId}.`, `.${owner.userId + 1_000}.`),
      path.replace(`/${owner.workspaceId}.`, `/0${owner.workspaceId}.`),
      '/unsubscribe/1',
    ]) {
      for (const { status, text } of [await rig.call('GET', wrong), await post(wrong)])
        expect([wrong, status, text.includes('This link does not work')]).toEqual([wrong, 404, true])
    }
    expect(await chosenBy(owner)).toMatchObject({ frequency: 'weekly' })
    expect(await chosenBy(viewer)).toMatchObject({ frequency: 'weekly' })
  })
})

type Choice = { frequency: string; timezone?: string }
type Period = ReturnType<typeof lastPeriod>

const chosenBy = ({ browser }: TestUser) => browser.succeed('GET', '/email-report')
const choose = ({ browser }: TestUser, choice: Choice) => browser.succeed('PUT', '/email-report', choice)
const post = (path: string, headers: Record<string, string> = {}) =>
  rig.call('POST', path, {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })

/** Chosen, and due now: the background thread sends it. */
async function reportTo(user: TestUser): Promise<string> {
  await choose(user, { frequency: 'weekly', timezone: TIMEZONE })
  await rig.store.db
    .updateTable('email_reports')
    .set({ due_at: 1, reported_to: 1 })
    .where('user_id', '=', user.userId)
    .execute()
  const { text } = await rig.mailTo(user.email)
  return text.replaceAll('\r\n', '\n')
}

async function unsubscribePath({ userId, ...user }: TestUser): Promise<string> {
  await choose({ userId, ...user }, { frequency: 'weekly', timezone: TIMEZONE })
  const row = await rig.store.db
    .selectFrom('email_reports')
    .select('secret')
    .where('user_id', '=', userId)
    .where('workspace_id', '=', user.workspaceId)
    .executeTakeFirstOrThrow()
  return unsubscribeHref('', { userId, workspaceId: user.workspaceId }, row.secret)
}

/** Nine in the week and six in the one before; at its ends, some that are of another week in UTC. */
async function countClicks({ browser, workspaceId, userId }: TestUser, { from, to }: Period): Promise<void> {
  const past = { created_at: 1 }
  await rig.store.db.updateTable('workspaces').set(past).where('id', '=', workspaceId).execute()
  const ids: number[] = []
  for (const title of ['One', 'Two'])
    ids.push((await browser.succeed('POST', '/links', { original_url: 'https://example.com/', title })).id)
  const counter = await openBatchCounter(rig.store, `reported ${userId}`)
  const startUs = usOf(from)
  const times = [
    usOf(from - 7),
    ...Array(4).fill(startUs - DAY_US),
    startUs - 1,
    startUs,
    ...Array(7).fill(startUs + DAY_US),
    usOf(to) - 1,
    usOf(to),
  ]
  await counter.count(
    times.map((clickedAtUs, n) =>
      aClick(n + 1, {
        workspaceId,
        linkId: ids[n % 3 === 0 ? 0 : 1]!,
        clickedAtUs,
        visitor: 100 + (n % 5),
        country: n % 4 === 0 ? '' : 'DE',
        referrer: n % 2 === 0 ? '' : 'm.facebook.com',
      }),
    ),
  )
}

/** The start of the day. */
const usOf = (day: number) =>
  Temporal.PlainDate.from('1970-01-01').add({ days: day }).toZonedDateTime(TIMEZONE).epochMilliseconds * 1000

async function answersOf({ workspaceId, userId }: TestUser, period: Period): Promise<Record<string, any>> {
  const { db } = rig.store
  const caller = operatorIn(workspaceId, { ...COMMAND_LINE, userId })
  const deps = { db, clock: systemClock, baseUrl: rig.config.baseUrl }
  const { key } = await issueKey(deps, caller, { name: 'Reports', scopes: ['analytics:read'] })
  const { from, to } = datesOf(period)
  const query = new URLSearchParams({ from, to, timezone: TIMEZONE, compare: 'previous', limit: '5' })
  const reports = ['clicks', 'links', 'countries', 'sources']
  const answers = reports.map(async (report) => {
    const { body } = await rig.call('GET', `/api/analytics/${report}?${query}`, { key })
    return [report, body] as const
  })
  return Object.fromEntries(await Promise.all(answers))
}

const sum = (points: any[], figureOf: (point: any) => number) =>
  points.reduce((total, point) => total + figureOf(point), 0)

const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
const shareOf = ({ clicks, percentage }: any) => `${clicks} (${SHARE.format(percentage / 100)})`
