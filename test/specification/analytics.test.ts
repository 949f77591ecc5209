import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { FIREFOX, GOOGLEBOT, makeLink, open, TIMESTAMP, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
let first: { id: number; short_code: string }
let second: { id: number; short_code: string }

beforeAll(openLinks)

describe('the analytics of a link', () => {
  test('have every field of the specification', async () => {
    const { body } = await get(`links/${first.short_code}?${byDay}`)
    expect(body).toEqual({
      success: true,
      message: 'Link analytics retrieved.',
      data: {
        link: {
          id: first.id,
          short_code: first.short_code,
          short_url: `${rig.config.baseUrl}/${first.short_code}`,
          title: 'First',
        },
        total_clicks: 6,
        unique_visitors: 3,
        bot_clicks: 1,
        last_clicked_at: expect.stringMatching(TIMESTAMP),
        timeseries: expect.any(Array),
        countries: [
          { country_code: 'US', country: 'United States', clicks: 3, percentage: 50 },
          { country_code: 'DE', country: 'Germany', clicks: 2, percentage: 33.33 },
          { country_code: null, country: 'Unknown', clicks: 1, percentage: 16.67 },
        ],
        devices: [
          { device: 'mobile', clicks: 3, percentage: 50 },
          { device: 'desktop', clicks: 2, percentage: 33.33 },
          { device: 'other', clicks: 1, percentage: 16.67 },
        ],
        browsers: [
          { browser: 'Safari', clicks: 3, percentage: 50 },
          { browser: 'Firefox', clicks: 2, percentage: 33.33 },
          { browser: 'curl', clicks: 1, percentage: 16.67 },
        ],
        operating_systems: [
          { operating_system: 'iOS', clicks: 3, percentage: 50 },
          { operating_system: 'Linux', clicks: 2, percentage: 33.33 },
          { operating_system: 'Unknown', clicks: 1, percentage: 16.67 },
        ],
        referrers: [
          { referrer: null, clicks: 3, percentage: 50 },
          { referrer: 'news.example.org', clicks: 3, percentage: 50 },
        ],
      },
      meta: {
        from: expect.stringMatching(TIMESTAMP),
        to: expect.stringMatching(TIMESTAMP),
        granularity: 'day',
        timezone: 'UTC',
        total: 6,
      },
    })
    expect(body.data.timeseries).toHaveLength(7)
    expect(body.data.timeseries.slice(0, 5)).toEqual(
      body.data.timeseries
        .slice(0, 5)
        .map(({ date }: { date: string }) => ({ date, clicks: 0, unique_visitors: 0 })),
    )
    expect(sum(body.data.timeseries, 'clicks')).toBe(6)
    expect(sum(body.data.timeseries, 'unique_visitors')).toBe(3)
  })

  test('are zeros and empty lists before the first click, with every bucket', async () => {
    const { short_code } = await makeLink(rig, caller)
    const { data, meta } = (await get(`links/${short_code}`)).body
    expect(data).toMatchObject({
      total_clicks: 0,
      unique_visitors: 0,
      bot_clicks: 0,
      last_clicked_at: null,
      countries: [],
      devices: [],
      browsers: [],
      operating_systems: [],
      referrers: [],
    })
    expect(data.timeseries).toHaveLength(30)
    expect(sum(data.timeseries, 'clicks')).toBe(0)
    expect(meta.total).toBe(0)
  })

  test('are kept while the link is inactive', async () => {
    await rig.call('POST', `/api/links/${second.short_code}/toggle`, { key: caller.key })
    expect((await get(`links/${second.short_code}`)).body.data.total_clicks).toBe(1)
    await rig.call('POST', `/api/links/${second.short_code}/toggle`, { key: caller.key })
  })
})

describe('the analytics of the account', () => {
  test('have a series of clicks', async () => {
    const { body } = await get(`clicks?${byDay}`)
    expect(body).toMatchObject({ success: true, message: 'Clicks retrieved.', meta: { total: 7 } })
    expect(body.data).toHaveLength(7)
    expect(Object.keys(body.data[0])).toEqual(['date', 'clicks', 'unique_visitors'])
    expect([sum(body.data, 'clicks'), sum(body.data, 'unique_visitors')]).toEqual([7, 3])
  })

  test('have breakdowns by country, device and browser, the most clicked first', async () => {
    expect((await get('countries')).body).toMatchObject({
      message: 'Countries retrieved.',
      data: [
        { country_code: 'DE', country: 'Germany', clicks: 3, percentage: 42.86 },
        { country_code: 'US', country: 'United States', clicks: 3, percentage: 42.86 },
        { country_code: null, country: 'Unknown', clicks: 1, percentage: 14.29 },
      ],
      meta: { total: 7 },
    })
    expect((await get('devices')).body).toMatchObject({
      message: 'Devices retrieved.',
      data: [
        { device: 'desktop', clicks: 3, percentage: 42.86 },
        { device: 'mobile', clicks: 3, percentage: 42.86 },
        { device: 'other', clicks: 1, percentage: 14.29 },
      ],
    })
    expect((await get('browsers')).body).toMatchObject({
      message: 'Browsers retrieved.',
      data: [
        { browser: 'Firefox', clicks: 3, percentage: 42.86 },
        { browser: 'Safari', clicks: 3, percentage: 42.86 },
        { browser: 'curl', clicks: 1, percentage: 14.29 },
      ],
    })
  })

  test('are for one link when a short_code is given, and agree with that link’s own', async () => {
    const own = (await get(`links/${first.short_code}`)).body
    const of = async (name: string) => (await get(`${name}?short_code=${first.short_code}`)).body
    expect((await of('clicks')).data).toEqual(own.data.timeseries)
    expect((await of('countries')).data).toEqual(own.data.countries)
    expect((await of('devices')).data).toEqual(own.data.devices)
    expect((await of('browsers')).data).toEqual(own.data.browsers)
    expect((await of('browsers')).meta.total).toBe(6)
  })

  test('show no more rows than the limit, with percentages of all and the whole total', async () => {
    const { data, meta } = (await get('countries?limit=1')).body
    expect(data).toEqual([{ country_code: 'DE', country: 'Germany', clicks: 3, percentage: 42.86 }])
    expect(meta.total).toBe(7)
    const link = (await get(`links/${first.short_code}?limit=1`)).body.data
    for (const rows of [link.countries, link.devices, link.browsers, link.operating_systems, link.referrers])
      expect(rows).toHaveLength(1)
  })
})

describe('the same counts', () => {
  test('are in the link, the list, the overview, the series and every breakdown', async () => {
    const link = (await rig.call('GET', `/api/links/${first.short_code}`, { key: caller.key })).body.data
    const list = (await rig.call('GET', '/api/links', { key: caller.key })).body.data
    const { overview: totals, top_links } = await overview()
    expect(link.click_count).toBe(6)
    expect(sum(list, 'click_count')).toBe(7)
    expect([totals.total_clicks, totals.clicks_today]).toEqual([7, 7])
    expect(top_links).toEqual([
      { id: first.id, short_code: first.short_code, title: 'First', click_count: 6 },
      { id: second.id, short_code: second.short_code, title: 'Second', click_count: 1 },
    ])
    for (const name of ['clicks', 'countries', 'devices', 'browsers']) {
      for (const period of ['24h', '7d', '30d', '90d', '12m', 'all']) {
        const { data, meta } = (await get(`${name}?period=${period}`)).body
        expect([sum(data, 'clicks'), meta.total], `${name} ${period}`).toEqual([7, 7])
      }
    }
  })
})

async function openLinks(): Promise<void> {
  first = await makeLink(rig, caller, { title: 'First' })
  second = await makeLink(rig, caller, { title: 'Second', is_active: true })
  await makeLink(rig, caller, { title: 'Never opened', is_active: false })
  await visitFirst()
  await open(rig, second.short_code, { ...GERMANY, 'User-Agent': FIREFOX })
  await eventually(overview, ({ overview: { total_clicks } }) => total_clicks === 7)
}

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const GERMANY = { 'X-Forwarded-For': '5.9.0.1' }
const USA = { 'X-Forwarded-For': '8.8.8.8' }
const NEWS = { Referer: 'https://news.example.org:8443/page?q=secret' }
const byDay = 'period=7d'

const sum = (rows: Record<string, number>[], field: string) =>
  rows.reduce((total, row) => total + row[field]!, 0)

/** Six clicks of three distinct visitors, one bot, and requests that are not clicks. */
async function visitFirst() {
  const visits: Record<string, string>[] = [
    { ...GERMANY, ...NEWS },
    { ...GERMANY },
    { ...USA, 'User-Agent': SAFARI, ...NEWS },
    { 'User-Agent': 'curl/8.5.0' },
    { ...USA, 'User-Agent': SAFARI, 'Sec-GPC': '1' },
    { ...USA, 'User-Agent': SAFARI, DNT: '1', ...NEWS },
    { ...GERMANY, 'User-Agent': GOOGLEBOT },
    { ...GERMANY, 'Sec-Purpose': 'prefetch' },
  ]
  await rig.call('HEAD', `/${first.short_code}`)
  for (const headers of visits) await open(rig, first.short_code, headers)
}

const get = (path: string, { key } = caller) => rig.call('GET', `/api/analytics/${path}`, { key })
const overview = async () => (await get('overview')).body.data
