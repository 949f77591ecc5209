import { beforeAll, expect, test } from 'bun:test'
import { type Browser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'

const rig = useOwnDashboardRig()
let operator: Browser
let browser: Browser

beforeAll(async () => {
  operator = (await rig.user()).browser // the first account
  browser = (await rig.user()).browser
})

test('the dashboard shows and edits the options of a link, and the export has them', async () => {
  expect((await make('optional', OPTIONS)).body.data).toMatchObject({ ...OPTIONS, status: 'expired' })
  const [listed] = await browser.succeed('GET', '/links?search=optional')
  expect(listed).toMatchObject({ ...OPTIONS, status: 'expired' })
  await browser.succeed('PUT', '/links/optional', { expires_at: null })
  const shown = await browser.succeed('GET', '/links/optional')
  expect(shown).toMatchObject({ ...OPTIONS, expires_at: null, status: 'active' })
  const { text } = await browser.request('GET', '/export')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ type }) => type === 'link_version')).toMatchObject([
    { link_id: shown.id, version: 2, changes: { expires_at: { from: OPTIONS.expires_at, to: null } } },
  ])
  expect(lines.find(({ type }) => type === 'link')).toMatchObject({ ...OPTIONS, expires_at: null })
})

test('a fallback at a blocked host is refused, and one that is stored is not opened', async () => {
  const ended = { expires_at: '2026-02-01T09:00:00Z', fallback_url: 'https://www.soon-blocked.example/' }
  await make('ended', ended)
  expect((await rig.call('GET', '/ended')).status).toBe(302)
  await operator.succeed('POST', '/admin/blocked-hosts', { host: 'soon-blocked.example' })
  expect((await rig.call('GET', '/ended')).status).toBe(410)
  const refused = await make('refused', ended)
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { fallback_url: ['The fallback url may not lead there: the host is blocked.'] },
  ])
  expect((await browser.request('GET', '/links/refused')).status).toBe(404)
})

const OPTIONS = {
  starts_at: '2026-01-01T09:00:00.000000Z',
  expires_at: '2026-02-01T09:00:00.000000Z',
  max_clicks: 1_000_000,
  fallback_url: 'https://example.com/over',
  forward_query: true,
  forward_path: true,
  redirect_status: 308,
  social_title: 'A card',
  social_description: 'With a text',
  social_image_url: 'https://example.com/card.png',
  archived: false,
  notes: 'For us\nonly',
  external_id: 'order-7',
}
const make = (custom_code: string, others: object = {}) =>
  browser.request('POST', '/links', { original_url: 'https://example.com/', custom_code, ...others })
