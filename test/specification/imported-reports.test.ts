import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, FIREFOX, open, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

describe('the report of imported clicks', () => {
  test('has the days of a link, and those without a day where all of them were in the range', async () => {
    await importLink('one')
    const all = await report('short_code=one&period=all&granularity=month')
    expect(all).toMatchObject({ clicks: 402, undated: 290 })
    expect(all.series[0]).toEqual({ date: '2025-10', clicks: 100 })
    expect(all.series.slice(1, 4)).toEqual([
      { date: '2025-11', clicks: 0 },
      { date: '2025-12', clicks: 0 },
      { date: '2026-01', clicks: 12 },
    ])
    expect(all.countries).toEqual([
      { country_code: 'DE', country: 'Germany', clicks: 300 },
      { country_code: null, country: 'Unknown', clicks: 2 },
    ])
    expect(all.referrers).toEqual([{ referrer: 'news.example.org', clicks: 20 }])
    const january = await report('short_code=one&from=2026-01-01&to=2026-01-31&granularity=day')
    expect(january).toMatchObject({ clicks: 12, undated: 0, countries: [], referrers: [] })
    expect(january.series[0]).toEqual({ date: '2026-01-01', clicks: 12 })
    expect(january.series).toHaveLength(31)
  })

  test.each(['Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
    'has a day on the same day of the calendar in %s, and in no hour',
    async (timezone) => {
      await importLink('zones')
      const day = (on: string, more = '') =>
        report(`short_code=zones&from=${on}&to=${on}&timezone=${timezone}${more}`)
      expect(await day('2026-01-01')).toMatchObject({ clicks: 12, series: null })
      expect(await day('2026-01-02')).toMatchObject({ clicks: 0 })
      expect(await day('2026-01-01', '&granularity=day')).toMatchObject({
        series: [{ date: '2026-01-01', clicks: 12 }],
      })
      const all = await report(`short_code=zones&period=all&granularity=week&timezone=${timezone}`)
      expect(all.clicks).toBe(402)
      expect(all.series.reduce((sum: number, { clicks }: any) => sum + clicks, 0)).toBe(112)
      const part = 'from=2026-01-01T06:00:00Z&to=2026-01-03T00:00:00Z'
      expect((await report(`short_code=zones&${part}`)).clicks).toBe(0)
    },
  )

  test('is of the links of a workspace that are there, by what links are', async () => {
    const other = await rig.makeCaller()
    await importLink('tagged', { tags: ['Old'] }, other.key)
    await importLink('plain', {}, other.key)
    const clicks = async (query: string) => (await report(`period=all&${query}`, other.key)).clicks
    expect(await clicks('')).toBe(804)
    expect(await clicks('tag=old')).toBe(402)
    expect(await clicks('tag=not:old')).toBe(402)
    expect(await clicks('tag=none')).toBe(0)
    await rig.call('DELETE', '/api/links/tagged', other)
    expect(await clicks('')).toBe(402)
    await rig.call('POST', '/api/links/tagged/restore', other)
    expect(await clicks('')).toBe(804)
    expect((await report('period=all', (await rig.makeCaller()).key)).clicks).toBe(0)
  })

  test('says which filters cannot reach them', async () => {
    await importLink('filtered')
    const path = '/api/analytics/imported?short_code=filtered&country=DE&source=Facebook&utm_source=a'
    const { body } = await rig.call('GET', path, caller)
    expect(body.data).toEqual({ imported: null, not_reached_by: ['country', 'source', 'utm_source'] })
  })

  test('is of clicks that no other report has', async () => {
    await importLink('exact')
    expect((await open(rig, '/exact', { 'User-Agent': FIREFOX })).status).toBe(302)
    for (const name of ['clicks', 'countries', 'browsers', 'links'])
      expect(
        (await rig.call('GET', `/api/analytics/${name}?period=all`, caller)).body.meta.total,
      ).toBeLessThan(402)
    const { data } = (await rig.call('GET', '/api/analytics/links/exact?period=all', caller)).body
    expect(data.total_clicks).toBeLessThan(2)
  })
})

describe('imported clicks', () => {
  test('are named apart in lists of links, where they are included', async () => {
    await importLink('listed')
    await importLink('unclicked', { clicks: undefined })
    const query = 'include=imported_click_count&sort=created_at'
    const { data } = (await rig.call('GET', `/api/links?${query}&search=listed`, caller)).body
    expect(data).toMatchObject([{ short_code: 'listed', click_count: 0, imported_click_count: 402 }])
    const one = (await rig.call('GET', `/api/links/unclicked?${query.split('&')[0]}`, caller)).body.data
    expect(one.imported_click_count).toBe(0)
    expect(
      (await rig.call('GET', '/api/links/listed', caller)).body.data.imported_click_count,
    ).toBeUndefined()
  })

  test('are named apart on shared pages, for the range, and are in no number there', async () => {
    await importLink('shared')
    const { body } = await rig.call('POST', '/api/links/shared/share', { key: caller.key, body: {} })
    const { pathname } = new URL(body.data.url)
    const page = async (range: string) => (await rig.call('GET', `${pathname}?range=${range}`)).text
    const all = await page('all')
    expect(all).toContain('<dd class="share-number">0</dd>')
    expect(all).toContain('+ 402 imported')
    expect(all).toContain('Imported clicks were counted by another program')
    expect(await page('7d')).not.toContain('mported')
  })
})

const CLICKS = {
  total: 402,
  days: [
    { day: '2025-10-15', clicks: 100 },
    { day: '2026-01-01', clicks: 12 },
  ],
  countries: [
    { name: 'DE', clicks: 300 },
    { name: 'unknown', clicks: 2 },
  ],
  referrers: [{ name: 'news.example.org', clicks: 20 }],
}

async function importLink(custom_code: string, fields: object = {}, key = caller.key): Promise<void> {
  const created_at = '2025-10-15T08:00:00Z'
  const link = { original_url: DESTINATION, custom_code, created_at, clicks: CLICKS, ...fields }
  const { body } = await rig.call('POST', '/api/links/import', { key, body: { links: [link] } })
  expect(body.data[0].errors).toEqual({})
}

const report = async (query: string, key = caller.key) =>
  (await rig.call('GET', `/api/analytics/imported?${query}`, { key })).body.data.imported
