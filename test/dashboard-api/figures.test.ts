import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Browser, type DashboardRig, startDashboardRig } from '../rigs/dashboard-rig.ts'
import { eventually } from '../rigs/service-rig.ts'
import { FIREFOX, GOOGLEBOT, TIMESTAMP } from '../specification/contract-rig.ts'

let rig: DashboardRig
let browser: Browser

beforeAll(async () => {
  rig = await startDashboardRig()
  browser = (await rig.person()).browser
  for (const custom_code of ['one', 'two', 'gone']) {
    await browser.succeed('POST', '/links', { url: 'https://example.com/', custom_code, title: custom_code })
  }
  const open = (code: string, userAgent = FIREFOX) =>
    rig.call('GET', `/${code}`, {
      headers: { 'User-Agent': userAgent, Referer: 'https://news.example.org/' },
    })
  for (const code of ['one', 'one', 'two', 'gone']) await open(code)
  await open('one', GOOGLEBOT)
  await eventually(
    () => browser.succeed('GET', '/overview'),
    ({ overview, recent_clicks: recent }) => overview.total_clicks === 4 && recent.length === 5,
  )
  await browser.succeed('DELETE', '/links/gone')
})

afterAll(() => rig.stop())

test('the overview has the totals, the top links, and the clicks of the last minutes, the latest first', async () => {
  const { overview, top_links: top, recent_clicks: recent } = await browser.succeed('GET', '/overview')
  expect(overview).toEqual({ total_links: 2, active_links: 2, total_clicks: 4, clicks_today: 4 })
  expect(top.map(({ short_code: code, click_count: count }: any) => [code, count])).toEqual([
    ['one', 2],
    ['two', 1],
  ])
  expect(recent.map(({ short_code: code, is_bot: isBot }: any) => [code, isBot])).toEqual([
    ['one', true],
    [null, false],
    ['two', false],
    ['one', false],
    ['one', false],
  ])
  const stranger = (await rig.person()).browser
  expect((await stranger.succeed('GET', '/overview')).recent_clicks).toEqual([])
})

test('the figures have everything behind the pictures, of all links or of one', async () => {
  const { body } = await browser.ask('GET', '/figures?period=7d&granularity=day&timezone=UTC')
  const today = new Date().toISOString().slice(0, 10)
  expect(body.data).toMatchObject({
    total_clicks: 4,
    unique_visitors: 1,
    bot_clicks: 1,
    previous: null,
    last_clicked_at: expect.stringMatching(TIMESTAMP),
    countries: [{ country_code: null, country: 'Unknown', clicks: 4, percentage: 100 }],
    devices: [{ device: 'desktop', clicks: 4, percentage: 100 }],
    browsers: [{ browser: 'Firefox', clicks: 4, percentage: 100 }],
    operating_systems: [{ operating_system: 'Linux', clicks: 4, percentage: 100 }],
    referrers: [{ referrer: 'news.example.org', clicks: 4, percentage: 100 }],
  })
  expect(body.data.timeseries).toHaveLength(7)
  expect(body.data.timeseries.at(-1)).toEqual({ date: today, clicks: 4, unique_visitors: 1, bots: 1 })
  expect(body.meta).toMatchObject({ granularity: 'day', timezone: 'UTC', total: 4 })
  const one = await browser.succeed('GET', '/figures?short_code=one&period=24h')
  expect([one.total_clicks, one.bot_clicks, one.timeseries.length]).toEqual([2, 1, 24])
  const { status, body: refused } = await browser.ask('GET', '/figures?period=1y&limit=0')
  expect([status, Object.keys(refused.errors)]).toEqual([422, ['period', 'limit']])
})

test('the figures compare with as much time right before, once there was some', async () => {
  const other = (await rig.person()).browser
  const { id } = await other.succeed('GET', '/session')
  const now = Date.now() * 1000
  const hourUs = 3_600_000_000
  const hour = Math.floor(now / hourUs)
  await rig.store.db
    .updateTable('accounts')
    .set({ created_at: now - 100 * 24 * hourUs })
    .where('id', '=', id)
    .execute()
  const counts = { account_id: id, dimension: 'total', value: '', visitors: 1, bots: 2 }
  await rig.store.db
    .insertInto('account_hours')
    .values([
      { ...counts, hour, clicks: 5 },
      { ...counts, hour: hour - 24, clicks: 3 },
      { ...counts, hour: hour - 48, clicks: 9 },
    ])
    .execute()
  const { total_clicks: clicks, previous } = await other.succeed('GET', '/figures?period=24h')
  expect([clicks, previous]).toEqual([5, { clicks: 3, unique_visitors: 1, bots: 2 }])
  expect((await other.succeed('GET', '/figures?period=all')).previous).toBeNull()
})
