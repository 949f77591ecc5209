import { beforeAll, expect, test } from 'bun:test'
import { type Browser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { aFact, insertFacts } from '../rigs/clicks/fact-rows.ts'
import { eventually } from '../rigs/eventually.ts'
import { FIREFOX, GOOGLEBOT, LINK_NOT_FOUND, TIMESTAMP } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
let browser: Browser

beforeAll(countClicks)

test('the overview has the totals, the top links, and the latest clicks of people, newest first', async () => {
  const { overview, top_links: top, recent_clicks: recent } = await browser.succeed('GET', '/overview')
  expect(overview).toEqual({ total_links: 2, active_links: 2, total_clicks: 4, clicks_today: 4 })
  expect(top.map(({ short_code: code, click_count: count }: any) => [code, count])).toEqual([
    ['one', 2],
    ['two', 1],
  ])
  expect(recent.map(({ short_code: code }: any) => code)).toEqual([null, 'two', 'one', 'one'])
  const stranger = (await rig.user()).browser
  expect((await stranger.succeed('GET', '/overview')).recent_clicks).toEqual([])
  expect((await stranger.request('GET', '/analytics?short_code=one')).body).toEqual(LINK_NOT_FOUND)
})

test('the analytics have the data behind every chart, for all links or for one', async () => {
  const { body } = await browser.request(
    'GET',
    '/analytics?period=7d&granularity=day&timezone=UTC&compare=previous',
  )
  const today = new Date().toISOString().slice(0, 10)
  expect(body.data).toMatchObject({
    total_clicks: 4,
    unique_visitors: 1,
    bot_clicks: 1,
    clicks_today: 4,
    // The account is of today: no day of it is over.
    comparison: null,
    last_clicked_at: expect.stringMatching(TIMESTAMP),
    countries: [{ country_code: null, country: 'Unknown', clicks: 4, percentage: 100 }],
    devices: [{ device: 'desktop', clicks: 4, percentage: 100 }],
    browsers: [{ browser: 'Firefox', clicks: 4, percentage: 100 }],
    operating_systems: [{ operating_system: 'Linux', clicks: 4, percentage: 100 }],
    referrers: [{ referrer: 'news.example.org', clicks: 4, percentage: 100 }],
  })
  // It begins when the account was created.
  expect(body.data.timeseries).toEqual([{ date: today, clicks: 4, unique_visitors: 1, qr_scans: 0, bots: 1 }])
  expect(body.meta).toMatchObject({
    granularity: 'day',
    timezone: 'UTC',
    total: 4,
    running_point: 0,
    automatic_granularity: 'hour',
    possible_granularities: ['hour', 'day', 'week', 'month'],
    starts_at_creation: expect.stringMatching(TIMESTAMP),
    as_of: expect.stringMatching(TIMESTAMP),
    totals: { total_clicks: 4, bot_clicks: 1 },
  })
  const one = await browser.succeed('GET', '/analytics?short_code=one&period=24h')
  expect([one.total_clicks, one.bot_clicks, one.clicks_today]).toEqual([2, 1, 2])
  expect(one.timeseries.length).toBeWithin(1, 3)
  const { status, body: refused } = await browser.request('GET', '/analytics?period=1y&limit=0')
  expect([status, Object.keys(refused.errors)]).toEqual([422, ['period', 'limit']])
})

test('the clicks of today are those that pass the filters today, whatever the range is', async () => {
  const todayOf = async (source: string) => {
    const query = new URLSearchParams({ from: '2020-01-01', to: '2020-01-05', source })
    return (await browser.succeed('GET', `/analytics?${query}`)).clicks_today
  }
  expect(await todayOf('news.example.org')).toBe(4)
  expect(await todayOf('not:news.example.org')).toBe(0)
})

const HOUR_US = 3_600_000_000

const TODAY = Math.floor(Date.now() / 86_400_000)
const daysAgo = (days: number) => new Date((TODAY - days) * 86_400_000).toISOString().slice(0, 10)
/** An hour of that day, in UTC. */
const hourOn = (days: number, hour = 12) => (TODAY - days) * 24 + hour

/** Somebody whose account has been there for a hundred days. */
async function oldAccount() {
  const { browser: other, workspaceId } = await rig.user()
  const created_at = hourOn(100) * HOUR_US
  await rig.store.db.updateTable('workspaces').set({ created_at }).where('id', '=', workspaceId).execute()
  return { other, workspaceId }
}

test('full days are compared with as many days before them', async () => {
  const { other, workspaceId } = await oldAccount()
  const counts = { workspace_id: workspaceId, dimension: 'total', value: '', visitors: 1, bots: 2 }
  await rig.store.db
    .insertInto('workspace_hours')
    .values([
      { ...counts, hour: hourOn(9, 0), clicks: 100 },
      { ...counts, hour: hourOn(10, 23), clicks: 5 },
      { ...counts, hour: hourOn(11, 0), clicks: 7 },
      { ...counts, hour: hourOn(12, 23), clicks: 3 },
      { ...counts, hour: hourOn(13, 0), clicks: 1 },
      { ...counts, hour: hourOn(14, 23), clicks: 100 },
    ])
    .execute()
  const range = `granularity=day&from=${daysAgo(11)}&to=${daysAgo(10)}`
  const report = await other.succeed('GET', `/analytics?${range}&compare=previous`)
  const { total_clicks: clicks, comparison, timeseries } = report
  expect([clicks, comparison]).toEqual([
    12,
    {
      compare: 'previous',
      points: 2,
      now: { clicks: 12, unique_visitors: 2, qr_scans: 0, bots: 4 },
      before: { clicks: 4, unique_visitors: 2, qr_scans: 0, bots: 4 },
    },
  ])
  // Each day says which one it is compared with.
  expect(
    timeseries.map((day: any) => [day.date, day.clicks, day.previous.date, day.previous.clicks]),
  ).toEqual([
    [daysAgo(11), 7, daysAgo(13), 1],
    [daysAgo(10), 5, daysAgo(12), 3],
  ])
  expect((await other.succeed('GET', '/analytics?period=all&compare=previous')).comparison).toBeNull()
  const young = await other.succeed('GET', '/analytics?period=90d&timezone=UTC&compare=previous')
  const alone = await other.succeed('GET', `/analytics?${range}`)
  expect([alone.total_clicks, alone.comparison]).toEqual([12, null])
  expect(alone.timeseries.some((day: any) => 'previous' in day)).toBe(false)
  expect(young.comparison).toMatchObject({ points: 89, before: null })
})

test('an interval with too many points is not an error, and the meta lists those that fit', async () => {
  const { other, workspaceId } = await oldAccount()
  await rig.store.db.updateTable('workspaces').set({ created_at: 0 }).where('id', '=', workspaceId).execute()
  const { status, body } = await other.request('GET', '/analytics?period=12m&granularity=hour')
  expect([status, body.meta.granularity]).toEqual([200, 'month'])
  expect(body.meta.possible_granularities).toEqual(['day', 'week', 'month'])
  expect(body.data.timeseries).toHaveLength(12)
})

test('QR scans are counted by day, with and without filters', async () => {
  const { browser: other } = await rig.user()
  await other.succeed('POST', '/links', { url: 'https://example.com/', custom_code: 'poster' })
  for (const path of ['/poster', '/poster?qr', '/poster?qr']) await rig.call('GET', path)
  const read = (query: string) => other.succeed('GET', `/analytics?granularity=day&${query}`)
  await eventually(
    () => read('period=7d'),
    ({ total_clicks: clicks }) => clicks === 3,
  )
  const scansOf = async (query: string) => {
    const { qr_scans: scans, timeseries } = await read(query)
    return [scans, timeseries.at(-1).qr_scans]
  }
  expect(await scansOf('timezone=UTC')).toEqual([2, 2])
  expect(await scansOf('timezone=Asia/Kathmandu')).toEqual([2, 2])
  expect(await scansOf('short_code=poster')).toEqual([2, 2])
  // However few rows of each kind are wanted, also where QR scans are the fewest.
  for (let more = 0; more < 3; more++) await rig.call('GET', '/poster')
  await eventually(
    () => read('period=7d'),
    ({ total_clicks: clicks }) => clicks === 6,
  )
  expect(await scansOf('limit=1')).toEqual([2, 2])
  expect((await read('limit=1&timezone=UTC')).via).toHaveLength(1)
  expect(await scansOf('device=tablet')).toEqual([0, 0])
  expect(await scansOf('via=link')).toEqual([0, 0])
  expect(await scansOf('via=not:link')).toEqual([2, 2])
})

test('clicks add up by tags, folders, domains and UTM parameters, each with its previous count', async () => {
  const { other, workspaceId } = await oldAccount()
  const make = (custom_code: string, fields: object) =>
    other.succeed('POST', '/links', { url: 'https://example.com/', custom_code, ...fields })
  const made = [
    await make('group-a', { tags: ['Winter', 'Shoes'] }),
    await make('group-b', { tags: ['Winter'], url: 'https://example.com/?utm_source=newsletter' }),
    await make('group-c', {}),
  ]
  const clicks = [
    [0, 9, 5],
    [1, 9, 2],
    [2, 9, 1],
    [1, 11, 4],
  ]
  await insertFacts(
    rig.store.relaxedDb,
    clicks.map(([link, days, count]) =>
      aFact({
        link_id: made[link!].id,
        workspace_id: workspaceId,
        clicked_at: hourOn(days!) * HOUR_US,
        clicks: count!,
      }),
    ),
  )
  const groups = async (by: string) =>
    (
      await other.succeed(
        'GET',
        `/link-groups?by=${by}&timezone=UTC&granularity=day&compare=previous&from=${daysAgo(10)}&to=${daysAgo(9)}`,
      )
    ).map((group: any) => [group.value, group.clicks, group.comparison])
  expect(await groups('tag')).toEqual([
    ['Winter', 7, { now: 7, before: 4 }],
    ['Shoes', 5, { now: 5, before: 0 }],
    [null, 1, { now: 1, before: 0 }],
  ])
  expect(await groups('utm_source')).toEqual([
    [null, 6, { now: 6, before: 0 }],
    ['newsletter', 2, { now: 2, before: 4 }],
  ])
  expect((await groups('folder'))[0].slice(0, 2)).toEqual([null, 8])
  expect((await groups('domain'))[0][1]).toBe(8)
  const { status, body } = await other.request('GET', '/link-groups?by=color')
  expect([status, Object.keys(body.errors)]).toEqual([422, ['by']])
})

test('the top links are those of the range, each with its previous count', async () => {
  const { other, workspaceId } = await oldAccount()
  const made = []
  for (const custom_code of ['top-a', 'top-b', 'top-c'])
    made.push(await other.succeed('POST', '/links', { url: 'https://example.com/', custom_code }))
  const [a, b, c] = made.map(({ id }) => id)
  const createOn = (days: number, ids: number[]) =>
    rig.store.db
      .updateTable('links')
      .set({ created_at: hourOn(days) * HOUR_US })
      .where('id', 'in', ids)
      .execute()
  await createOn(50, [a, b])
  await createOn(14, [c])
  const hours = [
    { link_id: a, hour: hourOn(40), clicks: 900 },
    { link_id: a, hour: hourOn(12), clicks: 8 },
    { link_id: a, hour: hourOn(10), clicks: 10 },
    { link_id: b, hour: hourOn(9), clicks: 30 },
    { link_id: c, hour: hourOn(8), clicks: 5 },
    { link_id: c, hour: hourOn(7), clicks: 100 },
  ]
  const clicksOf = (id: number) =>
    hours.filter(({ link_id }) => link_id === id).reduce((sum, { clicks }) => sum + clicks, 0)
  await insertFacts(
    rig.store.relaxedDb,
    hours.map(({ hour, ...each }) =>
      aFact({ ...each, workspace_id: workspaceId, clicked_at: hour * HOUR_US }),
    ),
  )
  await rig.store.db
    .insertInto('link_totals')
    .values(
      [a, b, c].map((link_id) => ({
        link_id,
        workspace_id: workspaceId,
        clicks: clicksOf(link_id),
        visitors: 0,
        bots: 0,
        last_clicked_at: hourOn(7) * HOUR_US,
      })),
    )
    .execute()
  const top = async (query: string) =>
    (await other.succeed('GET', `/top-links?timezone=UTC&granularity=day&compare=previous&${query}`)).map(
      (link: any) => [link.short_code, link.clicks, link.comparison],
    )
  const range = `from=${daysAgo(11)}&to=${daysAgo(8)}`
  expect(await top(range)).toEqual([
    ['top-b', 30, { now: 30, before: 0 }],
    ['top-a', 10, { now: 10, before: 8 }],
    ['top-c', 5, { now: 5, before: null }],
  ])
  expect(await top('period=all')).toEqual([
    ['top-a', 918, null],
    ['top-c', 105, null],
    ['top-b', 30, null],
  ])
  expect(await top(`${range}&limit=1`)).toHaveLength(1)
  expect((await other.request('GET', '/top-links?period=1y')).status).toBe(422)
  expect(await (await rig.user()).browser.succeed('GET', '/top-links?period=all')).toEqual([])
})

async function countClicks(): Promise<void> {
  browser = (await rig.user()).browser
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
    ({ overview, recent_clicks: recent }) => overview.total_clicks === 4 && recent.length === 4,
  )
  await browser.succeed('DELETE', '/links/gone')
}
