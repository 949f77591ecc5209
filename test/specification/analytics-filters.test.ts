import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { FIREFOX, GOOGLEBOT, makeLink, open, useContractRig } from './contract-rig.ts'

const LONG_CONTENT = 'x'.repeat(4_000)
const rig = useContractRig()
const caller = useCaller(rig)
let launch: string
let other: string

beforeAll(openLinks)

describe('a filter', () => {
  test.each([
    ['country=DE', 4],
    ['country=de&country=US', 6],
    ['country=not:DE', 2],
    ['country=not:DE&country=not:US', 0],
    ['country=unknown', 0],
    ['device=mobile', 4],
    ['device=desktop', 2],
    ['device=Mobile', 4],
    ['device=not:DESKTOP', 4],
    ['browser=firefox', 2],
    ['browser=No such browser', 0],
    ['os=IOS', 4],
    ['referrer=News.example.org', 2],
    ['referrer=none', 4],
    ['referrer=not:none', 2],
    ['referrer=None', 4],
    ['source=news.example.org', 2],
    ['source=www.news.example.org', 2],
    ['source=None', 4],
    ['source=not:none', 2],
    ['source=not:Facebook', 6],
    ['source=not:none&referrer=not:news.example.org', 0],
    ['source=not:facebook&referrer=news.example.org', 2],
    ['source=facebook', 0],
    ['language=de', 1],
    ['language=unknown', 4],
    ['via=qr', 1],
    ['via=not:qr', 5],
    ['via=QR', 1],
    ['variant=nothing', 0],
    ['variant=none', 6],
    ['variant=not:none', 0],
    ['variant=None', 6],
    ['alias=nothing', 0],
    // All of several filters must hold.
    ['country=DE&device=mobile', 3],
    ['country=DE&device=mobile&referrer=news.example.org', 1],
    ['country=DE&device=not:mobile', 1],
    // Empty is as if it was not there.
    ['country=', 6],
  ])('%s counts the clicks that pass it, in every answer', async (query, clicks) => {
    const ofLaunch = (query: string) => totalOf(`links/${launch}`, query)
    expect(await totalOf('clicks', query)).toBe(clicks)
    expect(await totalOf('countries', query)).toBe(clicks)
    expect(await totalOf('links', query)).toBe(clicks)
    const ofOther = await totalOf('clicks', `${query}&short_code=${other}`)
    expect((await ofLaunch(query)) + ofOther).toBe(clicks)
  })

  test.each([
    ['tag=spring', 5],
    ['tag=PAID', 6],
    ['tag=paid&tag=spring', 6],
    ['tag=not:spring', 1],
    ['tag=unused', 0],
    ['tag=nothing', 0],
    ['tag=not:nothing', 6],
    ['folder=campaigns', 5],
    ['folder=not:Campaigns', 1],
    ['short_code=launch', 5],
    ['short_code=launch&short_code=nothing', 5],
    ['short_code=launch&tag=unused', 0],
    ['short_code=not:launch', 1],
    ['short_code=not:launch&tag=paid', 1],
    ['domain=nowhere.example.org', 0],
    ['domain=not:nowhere.example.org', 6],
    ['utm_source=newsletter', 6],
    ['utm_source=Newsletter', 0],
    ['utm_source=not:newsletter', 0],
    ['utm_campaign=Spring sale', 5],
    ['utm_campaign=spring', 1],
    ['utm_campaign=Spring sale&utm_campaign=spring', 6],
    ['utm_campaign=not:spring&tag=paid', 5],
    ['tag=spring&country=DE', 3],
    ['tag=not:spring&folder=not:campaigns&country=not:US', 1],
  ])('%s counts the clicks of links that pass it now', async (query, clicks) => {
    for (const path of ['clicks', 'countries', 'links']) expect(await totalOf(path, query)).toBe(clicks)
  })

  test('finds the value of any UTM parameter that a destination has, however long', async () => {
    expect(await totalOf('clicks', `utm_content=${LONG_CONTENT}`)).toBe(1)
  })

  test('narrows series, breakdowns and visitors of a link alike, and leaves out bots, of which nothing is known', async () => {
    const { data } = await get(`links/${launch}`, 'country=DE&device=mobile')
    expect(data).toMatchObject({
      total_clicks: 2,
      unique_visitors: 1,
      bot_clicks: 0,
      countries: [{ country_code: 'DE', clicks: 2, percentage: 100 }],
      devices: [{ device: 'mobile', clicks: 2 }],
      operating_systems: [{ operating_system: 'iOS', clicks: 2 }],
      referrers: [
        { referrer: null, clicks: 1, percentage: 50 },
        { referrer: 'news.example.org', clicks: 1, percentage: 50 },
      ],
    })
    expect(data.timeseries.at(-1)).toMatchObject({ clicks: 2, unique_visitors: 1 })
    expect((await get(`links/${launch}`, '')).data.bot_clicks).toBe(1)
  })

  test.each([
    ['country=Germany', 'country', 'The country must be a code of two letters, such as DE, or unknown.'],
    ['device=phone', 'device', 'The device must be one of desktop, mobile, tablet, other.'],
    ['device=not:phone', 'device', 'The device must be one of desktop, mobile, tablet, other.'],
    ['via=mail', 'via', 'The via must be one of link, qr, preview.'],
    [
      'language=de-AT',
      'language',
      'The language must be a language without its region, such as de, or unknown.',
    ],
    [
      'country=DE&country=not:US',
      'country',
      'The country must have not: before all of its values, or before none.',
    ],
    [
      Array.from({ length: 21 }, (_, i) => `referrer=${i}.example.org`).join('&'),
      'referrer',
      'The referrer may not be given more than 20 times.',
    ],
    [`browser=${'x'.repeat(300)}`, 'browser', 'The browser may not be greater than 255 characters.'],
  ])('that cannot be is refused: %.40s', async (query, field, sentence) => {
    for (const path of ['clicks', 'links', `links/${launch}`]) {
      const { status, body } = await rig.call('GET', `/api/analytics/${path}?${query}`, caller)
      expect([status, body.errors]).toEqual([422, { [field]: [sentence] }])
    }
  })
})

test('each dimension has a breakdown', async () => {
  expect((await get('operating_systems', '')).data).toEqual([
    { operating_system: 'iOS', clicks: 4, percentage: 66.67 },
    { operating_system: 'Linux', clicks: 2, percentage: 33.33 },
  ])
  expect((await get('referrers', 'country=DE')).data).toEqual([
    { referrer: null, clicks: 2, percentage: 50 },
    { referrer: 'news.example.org', clicks: 2, percentage: 50 },
  ])
  expect((await get('via', '')).data).toEqual([
    { via: 'link', clicks: 5, percentage: 83.33 },
    { via: 'qr', clicks: 1, percentage: 16.67 },
  ])
  expect((await get('variants', '')).data).toEqual([{ variant: null, clicks: 6, percentage: 100 }])
  expect((await get('aliases', '')).data).toEqual([{ alias: null, clicks: 6, percentage: 100 }])
  expect((await get('languages', '')).data).toEqual([
    { language: null, clicks: 4, percentage: 66.67 },
    { language: 'de', clicks: 1, percentage: 16.67 },
    { language: 'en', clicks: 1, percentage: 16.67 },
  ])
})

test('clicks by what links are now: their tags, folders, domains and UTM parameters', async () => {
  expect((await get('tags', '')).data).toEqual([
    { tag: 'Paid', clicks: 6, percentage: 100 },
    { tag: 'Spring', clicks: 5, percentage: 83.33 },
  ])
  expect((await get('folders', 'country=DE')).data).toEqual([
    { folder: 'Campaigns', clicks: 3, percentage: 75 },
    { folder: null, clicks: 1, percentage: 25 },
  ])
  const domain = new URL(rig.config.baseUrl).host
  expect((await get('domains', '')).data).toEqual([{ domain, clicks: 6, percentage: 100 }])
  expect((await get('utm', '')).data).toEqual([{ value: 'newsletter', clicks: 6, percentage: 100 }])
  expect((await get('utm', 'by=campaign&limit=1')).data).toEqual([
    { value: 'Spring sale', clicks: 5, percentage: 83.33 },
  ])
  expect((await get('utm', 'by=term&tag=spring')).data).toEqual([{ value: null, clicks: 5, percentage: 100 }])
  expect((await rig.call('GET', '/api/analytics/utm?by=color', caller)).body.errors).toEqual({
    by: ['The by must be one of source, medium, campaign, term, content.'],
  })
})

test('bots are listed by their names, apart from all clicks, and only filters of links combine with them', async () => {
  const { short_code: code } = await makeLink(rig, caller)
  const programs = [
    ...[GOOGLEBOT, GOOGLEBOT, 'WhatsApp/2.23.20.0', 'Nobody-Knows-Bot/1.0'].map((name) => ({
      'User-Agent': name,
    })),
    HEADLESS,
  ]
  for (const headers of programs) await open(rig, code, headers)
  await open(rig, code, AT_A_DESK)
  const ofCode = `short_code=${code}`
  const { data, meta } = await eventually(
    () => get('bots', ofCode),
    ({ meta: { total } }) => total === programs.length,
  )
  // Browsers that run by themselves and programs that only say that they are bots have no name.
  expect(data.map(({ bot, clicks, percentage }: any) => [bot, clicks, percentage])).toEqual([
    [null, 2, 40],
    ['Googlebot', 2, 40],
    ['WhatsApp', 1, 20],
  ])
  expect(meta.total).toBe(programs.length)
  expect((await get('browsers', ofCode)).data).toMatchObject([{ browser: 'Firefox', clicks: 1 }])
  expect(await totalOf('clicks', `${ofCode}&browser=Googlebot`)).toBe(0)
  const filtered = `/api/analytics/bots?${ofCode}&country=DE&source=Facebook`
  const refused = await rig.call('GET', filtered, caller)
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['country', 'referrer']])
})

test('sources are sites with all their hosts, and apps', async () => {
  const { short_code: code } = await makeLink(rig, caller, { tags: ['Sources'] })
  const referrers = [
    'https://l.facebook.com/',
    'https://m.facebook.com/page',
    'android-app://com.facebook.katana/',
    'https://www.google.co.uk/',
    'https://www.example.org/',
    'https://example.org./',
  ]
  for (const Referer of referrers) await open(rig, code, { ...AT_A_DESK, Referer })
  await eventually(
    () => totalOf('clicks', 'tag=sources'),
    (total) => total === 6,
  )
  expect((await get('sources', 'tag=sources')).data).toEqual([
    { source: 'Facebook', clicks: 3, percentage: 50 },
    { source: 'example.org', clicks: 2, percentage: 33.33 },
    { source: 'Google', clicks: 1, percentage: 16.67 },
  ])
  expect(await totalOf('clicks', 'tag=sources&source=facebook&source=google')).toBe(4)
  expect(await totalOf('clicks', 'tag=sources&source=not:Facebook')).toBe(3)
  expect(await totalOf(`links/${code}`, 'source=example.org')).toBe(2)
})

describe('an export of clicks', () => {
  test('has the clicks of a report, each with what is known of it', async () => {
    const lines = await exported('format=ndjson&tag=spring')
    expect(lines).toHaveLength(6)
    expect(lines.map(({ bots }) => bots).toSorted()).toEqual([0, 0, 0, 0, 0, 1])
    expect(lines.find(({ country_code: code, referrer }) => code === 'DE' && referrer === null)).toEqual({
      clicked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      short_code: launch,
      domain: new URL(rig.config.baseUrl).host,
      country_code: 'DE',
      country: 'Germany',
      device: 'mobile',
      browser: 'Safari',
      operating_system: 'iOS',
      referrer: null,
      language: null,
      via: 'link',
      variant: null,
      alias: null,
      region: null,
      city: null,
      utm_source: null,
      utm_medium: null,
      utm_campaign: null,
      utm_term: null,
      utm_content: null,
      clicks: 1,
      unique_visitors: 0,
      bots: 0,
      workspace_visitors: 0,
    })
  })

  test('has the visitors of links and those of the workspace, with the sums that reports have', async () => {
    const rows = await exported('format=ndjson')
    const sumOf = (name: string, of = rows) => of.reduce((sum, row) => sum + row[name], 0)
    const points: { unique_visitors: number }[] = (await get('clicks', '')).data
    expect(sumOf('workspace_visitors')).toBe(points.reduce((sum, point) => sum + point.unique_visitors, 0))
    const ofLaunch = rows.filter(({ short_code: code }) => code === launch)
    const { data } = await get(`links/${launch}`, '')
    expect(sumOf('unique_visitors', ofLaunch)).toBe(data.unique_visitors)
    expect(sumOf('unique_visitors')).toBeGreaterThan(sumOf('workspace_visitors'))
  })

  test.each([
    ['country=DE&tag=spring', 3],
    ['country=not:DE&tag=spring', 2],
    ['source=news.example.org&country=DE', 2],
    ['short_code=launch&via=qr', 1],
    ['tag=not:spring&country=DE', 1],
    ['tag=spring&from=2020-01-01&to=2020-01-31', 0],
  ])('%s narrows it as it does reports, and leaves out bots', async (query, clicks) => {
    expect(await exported(`format=ndjson&${query}`)).toHaveLength(clicks)
    const { text } = await rig.call('GET', `/api/analytics/export?${query}`, caller)
    const [head, ...rows] = text.trim().split('\r\n')
    expect(head).toContain('clicked_at,short_code,domain,country_code,country,device')
    expect(rows).toHaveLength(clicks)
  })

  test('may be a Parquet file with the same rows', async () => {
    const path = '/api/analytics/export?format=parquet&tag=spring'
    const { status, headers, text } = await rig.call('GET', path, caller)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.apache.parquet'])
    expect(headers.get('content-disposition')).toMatch(/filename="tern-clicks-\d{4}-\d\d-\d\d\.parquet"/)
    // It begins and ends so, and is written by whole pages between.
    expect([text.slice(0, 4), text.slice(-4)]).toEqual(['PAR1', 'PAR1'])
  })

  test('refuses what reports refuse', async () => {
    const { status, body } = await rig.call('GET', '/api/analytics/export?country=Germany', caller)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['country']])
    expect((await rig.call('GET', '/api/analytics/export?short_code=nothing', caller)).status).toBe(404)
  })
})

test('links are read by the clicks of the range, with their share of all clicks', async () => {
  const { data, meta } = await get('links', 'country=DE')
  const domain = new URL(rig.config.baseUrl).host
  expect(data).toEqual([
    { id: expect.any(Number), short_code: launch, title: 'Launch', domain, clicks: 3, percentage: 75 },
    { id: expect.any(Number), short_code: other, title: 'Other', domain, clicks: 1, percentage: 25 },
  ])
  expect(meta.total).toBe(4)
  expect((await get('links', 'limit=1')).data).toHaveLength(1)
  expect((await get('links', 'country=US&via=preview')).data).toEqual([])
})

test('clicks of a deleted link are in the total of links and of their groups, and no row has them', async () => {
  const { short_code } = await makeLink(rig, caller)
  await open(rig, short_code, { ...AT_A_DESK, Referer: 'https://deleted.example.org/' })
  const read = (report: string) => get(report, 'referrer=deleted.example.org')
  await eventually(
    () => read('links'),
    ({ meta }) => meta.total === 1,
  )
  await rig.call('DELETE', `/api/links/${short_code}`, caller)
  for (const report of ['links', 'tags', 'folders', 'domains', 'utm'])
    expect(await read(report)).toMatchObject({ data: [], meta: { total: 1 } })
})

async function openLinks(): Promise<void> {
  launch = (
    await makeLink(rig, caller, {
      title: 'Launch',
      custom_code: 'launch',
      tags: ['Spring', 'Paid'],
      folder: 'Campaigns',
      original_url: 'https://example.com/?utm_source=newsletter&utm_campaign=Spring%20sale',
    })
  ).short_code
  other = (
    await makeLink(rig, caller, {
      title: 'Other',
      tags: ['paid'],
      original_url: `https://example.com/?utm_source=newsletter&utm%5Fcampaign=sp%72ing&utm_content=${LONG_CONTENT}`,
    })
  ).short_code
  await makeLink(rig, caller, { title: 'Without clicks', tags: ['Unused'] })
  for (const headers of [
    { ...GERMANY, ...ON_A_PHONE, ...NEWS, 'Accept-Language': 'de-AT,en' },
    { ...GERMANY, ...ON_A_PHONE },
    { ...GERMANY, ...AT_A_DESK, ...NEWS },
    { ...USA, ...AT_A_DESK, 'Accept-Language': 'en-US' },
    { 'User-Agent': GOOGLEBOT },
  ])
    await open(rig, launch, headers)
  await open(rig, `${launch}?qr`, { ...USA, ...ON_A_PHONE })
  await open(rig, other, { ...GERMANY, ...ON_A_PHONE })
  await eventually(
    () => totalOf('clicks', ''),
    (total) => total === 6,
  )
}

const GERMANY = { 'X-Forwarded-For': '5.9.0.1' }
const USA = { 'X-Forwarded-For': '8.8.8.8' }
const NEWS = { Referer: 'https://news.example.org/page' }
const AT_A_DESK = { 'User-Agent': FIREFOX }
const HEADLESS = {
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36',
}
const ON_A_PHONE = {
  'User-Agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
}
async function get(path: string, query: string): Promise<any> {
  const { status, body } = await rig.call('GET', `/api/analytics/${path}?${query}`, caller)
  expect({ path, query, status }).toEqual({ path, query, status: 200 })
  return body
}

async function exported(query: string): Promise<Record<string, any>[]> {
  const { status, text } = await rig.call('GET', `/api/analytics/export?${query}`, caller)
  expect({ query, status }).toEqual({ query, status: 200 })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const totalOf = async (path: string, query: string): Promise<number> => (await get(path, query)).meta.total
