import { beforeAll, expect, test } from 'bun:test'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type TestUser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { FIREFOX, GOOGLEBOT, TIMESTAMP } from '../specification/contract-rig.ts'
import { aBotFact, insertFacts } from '../rigs/clicks/fact-rows.ts'

const rig = useDashboardRig()
let ann: TestUser

beforeAll(async () => {
  await rig.user() // the operator, who is signed in twice
  ann = await rig.user()
})

test('the export has everything stored about an account, one JSON object per line, and no secret', async () => {
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
    ({ recent_clicks: recent }) => recent.length === 2,
  )
  await browser.succeed('DELETE', '/links/dropped')
  await browser.succeed('PUT', '/workspace/settings', { timezone: 'Europe/Berlin' })
  await browser.succeed('POST', '/views', { name: 'Winter', query: 'search=winter' })
  const { key: writeKey } = await browser.succeed('POST', '/keys', {
    name: 'Writer',
    scopes: ['links:write'],
  })
  await rig.call('POST', '/api/folders', { key: writeKey, body: { name: 'Empty folder', color: 3 } })
  const edit = { tags: ['Zebra', 'ant'], folder: 'Shop' }
  await rig.call('PUT', '/api/links/kept', { key: writeKey, body: edit })
  const { url } = await browser.succeed('POST', '/links/kept/share', { password: 'sesame' })
  const [{ id: folderId }] = await browser.succeed('GET', '/folders')
  await browser.succeed('POST', `/folders/${folderId}/share`, {})
  const { lines, headers, text } = await exportOf(ann)
  expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="tern-export-\d{4}-\d\d-\d\d\.jsonl"$/,
  )
  expect(ofType(lines, 'account')).toMatchObject([
    { email, plan: 'free', created_at: expect.stringMatching(TIMESTAMP) },
  ])
  expect(ofType(lines, 'session')).toMatchObject([{ device: 'Firefox on Linux' }])
  expect(ofType(lines, 'api_key')).toMatchObject([
    { name: 'Key', scopes: ['links:read'], revoked_at: null },
    { name: 'Writer' },
  ])
  expect(ofType(lines, 'api_usage')).toMatchObject([{ requests: 3 }])
  expect(ofType(lines, 'link')).toMatchObject([
    {
      short_code: 'kept',
      original_url: 'https://example.com/kept',
      tags: ['ant', 'Zebra'],
      folder: 'Shop',
      clicks: 1,
      bots: 1,
      is_active: true,
    },
  ])
  expect(ofType(lines, 'deleted_link')).toMatchObject([
    { short_code: 'dropped', deleted_at: expect.stringMatching(TIMESTAMP) },
  ])
  expect(ofType(lines, 'workspace_settings')).toMatchObject([
    { timezone: 'Europe/Berlin', preview_pages: true, utm_templates: [] },
  ])
  const color = expect.any(Number)
  expect(ofType(lines, 'tag')).toMatchObject([
    { name: 'ant', color },
    { name: 'Zebra', color },
  ])
  expect(ofType(lines, 'folder')).toMatchObject([
    { name: 'Empty folder', color: 3 },
    { name: 'Shop', color },
  ])
  expect(ofType(lines, 'saved_view')).toMatchObject([
    { name: 'Winter', query: 'search=winter', is_shared: false, saved_by: ann.name },
  ])
  const shared = {
    panels: ['clicks', 'countries'],
    ends_at: null,
    created_at: expect.stringMatching(TIMESTAMP),
  }
  expect(ofType(lines, 'shared_statistics')).toEqual([
    {
      ...shared,
      type: 'shared_statistics',
      of: 'link',
      short_url: `${rig.config.baseUrl}/kept`,
      has_password: true,
    },
    { ...shared, type: 'shared_statistics', of: 'folder', name: 'Empty folder', has_password: false },
  ])
  const clicks = ofType(lines, 'clicks')
  expect(clicks[0]).toEqual({
    type: 'clicks',
    link_id: ofType(lines, 'link')[0].id,
    clicked_at: expect.stringMatching(TIMESTAMP),
    city: '',
    utm: '',
    country: '',
    device: 'desktop',
    browser: 'Firefox',
    operating_system: 'Linux',
    referrer: '',
    region: '',
    language: '',
    via: 'link',
    variant: '',
    alias: '',
    clicks: 1,
    unique_visitors: 1,
    bots: 0,
  })
  expect(clicks.map((each) => [each.clicks, each.unique_visitors, each.bots, each.browser])).toEqual([
    [1, 1, 0, 'Firefox'],
    [1, 1, 0, 'Firefox'],
    [0, 0, 1, 'Googlebot'],
  ])
  for (const secret of [key, PASSWORD, 'argon2', new URL(url).pathname, browser.cookies.get('session')!])
    expect(text).not.toContain(secret)
  const { lines: theirs } = await exportOf(await rig.user())
  expect(theirs.map(({ type }) => type)).toEqual(['account', 'session', 'workspace_settings', 'end'])
})

test('a click says which alias was opened, where it led and in which language it was asked', async () => {
  const user = await rig.user()
  const id = '5f0c1d2e'
  const rules = [{ id, when: { language: ['pt'] }, to: 'https://example.com/pt' }]
  await user.browser.succeed('POST', '/links', {
    url: 'https://example.com/',
    custom_code: 'ruled',
    aliases: ['ruled-once'],
    rules,
  })
  const headers = { 'User-Agent': FIREFOX, 'Accept-Language': 'pt-BR' }
  await rig.call('GET', '/ruled-once', { headers })
  const { lines } = await eventually(
    () => exportOf(user),
    ({ lines: found }) => ofType(found, 'clicks').length === 1,
  )
  expect(ofType(lines, 'clicks')).toMatchObject([
    { variant: id, via: 'link', language: 'pt', alias: 'ruled-once' },
  ])
})

test('an account with thousands of links and clicks is exported completely', async () => {
  const user = await rig.user()
  const { workspaceId } = user
  const { db } = rig.store
  const COUNT = 2_500
  for (let from = 0; from < COUNT; from += 500) {
    const range = Array.from({ length: 500 }, (_, i) => from + i)
    const code = (i: number) => `many-${i}`
    await db
      .insertInto('codes')
      .values(range.map((i) => ({ code: code(i), workspace_id: workspaceId })))
      .execute()
    const links = await db
      .insertInto('links')
      .values(
        range.map((i) => ({
          workspace_id: workspaceId,
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
    await insertFacts(
      rig.store.relaxedDb,
      links.map(({ id }) => aBotFact({ link_id: id, workspace_id: workspaceId })),
    )
  }
  const { lines } = await exportOf(user)
  expect(lines.at(-1)).toEqual({ type: 'end' })
  expect(ofType(lines, 'link')).toHaveLength(COUNT)
  expect(new Set(ofType(lines, 'link').map(({ id }) => id)).size).toBe(COUNT)
  expect(ofType(lines, 'clicks')).toHaveLength(COUNT)
})

test('an account may run two exports at once; one whose client disconnects makes room', async () => {
  const user = await rig.user()
  const { workspaceId } = user
  // More than a connection takes at once, so that nobody is done before somebody reads.
  const { db } = rig.store
  for (let from = 0; from < 4_000; from += 200) {
    const codes = Array.from({ length: 200 }, (_, i) => `long-${from + i}`)
    await db
      .insertInto('codes')
      .values(codes.map((code) => ({ code, workspace_id: workspaceId })))
      .execute()
    const link = { workspace_id: workspaceId, svc_id: 'svc', target_url: null, title: '', is_active: 1 }
    const url = `https://example.com/${'a'.repeat(8_000)}`
    await db
      .insertInto('links')
      .values(codes.map((code) => ({ ...link, code, original_url: url, created_at: 1, updated_at: 1 })))
      .execute()
  }
  const leave = new AbortController()
  const headers = { ...user.browser.headers(), 'Sec-Fetch-Site': 'same-origin' } as Record<string, string>
  const begin = () => fetch(`${rig.url}/dashboard/api/export`, { headers, signal: leave.signal })
  const statuses = [await begin(), await begin(), await begin()].map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 429])
  leave.abort()
  const again = await eventually(
    () => user.browser.request('GET', '/export'),
    ({ status }) => status === 200,
  )
  expect(ofType(again.text.trimEnd().split('\n').map(parsed), 'link')).toHaveLength(4_000)
})

const parsed = (line: string) => JSON.parse(line)

async function exportOf({ browser }: TestUser): Promise<{ lines: any[]; headers: Headers; text: string }> {
  const { text, headers, status } = await browser.request('GET', '/export')
  expect(status).toBe(200)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { lines, headers, text }
}

const ofType = (lines: any[], type: string) => lines.filter((line) => line.type === type)
