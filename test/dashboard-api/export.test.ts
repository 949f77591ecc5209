import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type DashboardRig, PASSWORD, type Person, startDashboardRig } from '../rigs/dashboard-rig.ts'
import { eventually } from '../rigs/service-rig.ts'
import { FIREFOX, GOOGLEBOT, TIMESTAMP } from '../specification/contract-rig.ts'
import { prepareClickDays } from '../../src/store/engine-sql.ts'

let rig: DashboardRig
let ann: Person

beforeAll(async () => {
  rig = await startDashboardRig()
  await rig.person() // the operator, who is signed in twice
  ann = await rig.person()
})

afterAll(() => rig.stop())

async function exportOf({ browser }: Person): Promise<{ lines: any[]; headers: Headers; text: string }> {
  const { text, headers, status } = await browser.ask('GET', '/export')
  expect(status).toBe(200)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { lines, headers, text }
}

const ofType = (lines: any[], type: string) => lines.filter((line) => line.type === type)

test('the export has everything that is kept of an account, a JSON object a line, and no secret', async () => {
  const { browser, email } = ann
  const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
  await rig.call('GET', '/api/links', { key })
  for (const custom_code of ['kept', 'dropped']) {
    await browser.succeed('POST', '/links', { url: `https://example.com/${custom_code}`, custom_code })
    await rig.call('GET', `/${custom_code}`, { headers: { 'User-Agent': FIREFOX } })
  }
  await rig.call('GET', '/kept', { headers: { 'User-Agent': GOOGLEBOT } })
  await eventually(
    () => browser.succeed('GET', '/overview'),
    ({ recent_clicks: recent }) => recent.length === 3,
  )
  await browser.succeed('DELETE', '/links/dropped')
  const { lines, headers, text } = await exportOf(ann)
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="tern-export-\d{4}-\d\d-\d\d\.jsonl"$/,
  )
  expect(ofType(lines, 'account')).toMatchObject([
    { email, plan: 'free', created_at: expect.stringMatching(TIMESTAMP) },
  ])
  expect(ofType(lines, 'session')).toMatchObject([{ device: 'Firefox on Linux' }])
  expect(ofType(lines, 'api_key')).toMatchObject([{ name: 'Key', scopes: ['links:read'], revoked_at: null }])
  expect(ofType(lines, 'api_usage')).toMatchObject([{ requests: 1 }])
  expect(ofType(lines, 'link')).toMatchObject([
    { short_code: 'kept', original_url: 'https://example.com/kept', clicks: 1, bots: 1, is_active: true },
  ])
  const hours = ofType(lines, 'clicks_of_hour')
  expect(hours.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(2)
  expect(hours.reduce((sum, { bots }) => sum + bots, 0)).toBe(1)
  expect(hours.find(({ clicks }) => clicks === 1)).toMatchObject({
    browser: 'Firefox',
    operating_system: 'Linux',
  })
  expect(ofType(lines, 'click').map(({ is_bot: isBot, browser: name }) => [isBot, name])).toEqual([
    [false, 'Firefox'],
    [false, 'Firefox'],
    [true, null],
  ])
  for (const secret of [key, PASSWORD, 'argon2', browser.cookies.get('session')!])
    expect(text).not.toContain(secret)
  const { lines: theirs } = await exportOf(await rig.person())
  expect(theirs.map(({ type }) => type)).toEqual(['account', 'session', 'end'])
})

test('an account with thousands of links and clicks is exported whole', async () => {
  const person = await rig.person()
  const { id: accountId } = await person.browser.succeed('GET', '/session')
  const { db } = rig.store
  const COUNT = 2_500
  for (let from = 0; from < COUNT; from += 500) {
    const range = Array.from({ length: 500 }, (_, i) => from + i)
    const code = (i: number) => `many-${i}`
    await db
      .insertInto('codes')
      .values(range.map((i) => ({ code: code(i), account_id: accountId })))
      .execute()
    const links = await db
      .insertInto('links')
      .values(
        range.map((i) => ({
          account_id: accountId,
          code: code(i),
          svc_id: `svc_${i}`,
          original_url: `https://example.com/${i}`,
          target_url: null,
          title: 'x'.repeat(200),
          is_active: 1,
          created_at: 1,
          updated_at: 1,
        })),
      )
      .returning('id')
      .execute()
    const clicks = links.map(({ id }) => ({
      link_id: id,
      account_id: accountId,
      clicked_at: 1,
      audience_id: 0,
      visitor: null,
      is_bot: 1,
    }))
    await prepareClickDays(db, [0])
    await db.insertInto('clicks').values(clicks).execute()
  }
  const { id: linkId } = await db
    .selectFrom('links')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const counts = { clicks: 1, visitors: 1, bots: 0 }
  await db
    .insertInto('link_totals')
    .values({ ...counts, link_id: linkId, account_id: accountId, last_clicked_at: null })
    .execute()
  // Several of an hour, so that pages end in the middle of one.
  const hours = Array.from({ length: COUNT }, (_, i) => ({ hour: Math.floor(i / 7), audience_id: i % 7 }))
  await db
    .insertInto('link_hours')
    .values(hours.map((place) => ({ ...counts, ...place, link_id: linkId })))
    .execute()
  const { lines } = await exportOf(person)
  expect(ofType(lines, 'clicks_of_hour')).toHaveLength(COUNT)
  expect(lines.at(-1)).toEqual({ type: 'end' })
  expect(ofType(lines, 'link')).toHaveLength(COUNT)
  expect(new Set(ofType(lines, 'link').map(({ id }) => id)).size).toBe(COUNT)
  expect(ofType(lines, 'click')).toHaveLength(COUNT)
})

test('an account has two exports at once; one that its client leaves makes room', async () => {
  const person = await rig.person()
  const { id: accountId } = await person.browser.succeed('GET', '/session')
  // More than a connection takes at once, so that nobody is done before somebody reads.
  const { db } = rig.store
  for (let from = 0; from < 4_000; from += 200) {
    const codes = Array.from({ length: 200 }, (_, i) => `long-${from + i}`)
    await db
      .insertInto('codes')
      .values(codes.map((code) => ({ code, account_id: accountId })))
      .execute()
    const link = { account_id: accountId, svc_id: 'svc', target_url: null, title: '', is_active: 1 }
    const url = `https://example.com/${'a'.repeat(8_000)}`
    await db
      .insertInto('links')
      .values(codes.map((code) => ({ ...link, code, original_url: url, created_at: 1, updated_at: 1 })))
      .execute()
  }
  const leave = new AbortController()
  const headers = { ...person.browser.headers(), 'Sec-Fetch-Site': 'same-origin' } as Record<string, string>
  const begin = () => fetch(`${rig.url}/dashboard/api/export`, { headers, signal: leave.signal })
  const statuses = [await begin(), await begin(), await begin()].map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 429])
  leave.abort()
  const again = await eventually(
    () => person.browser.ask('GET', '/export'),
    ({ status }) => status === 200,
  )
  expect(ofType(again.text.trimEnd().split('\n').map(parsed), 'link')).toHaveLength(4_000)
}, 60_000)

const parsed = (line: string) => JSON.parse(line)

test('a client that leaves in the middle of it harms nobody', async () => {
  const leave = new AbortController()
  const headers = { ...ann.browser.headers(), 'Sec-Fetch-Site': 'same-origin' } as Record<string, string>
  const response = await fetch(`${rig.url}/dashboard/api/export`, { headers, signal: leave.signal })
  await response.body!.getReader().read()
  leave.abort()
  expect((await exportOf(ann)).lines[0].type).toBe('account')
})
