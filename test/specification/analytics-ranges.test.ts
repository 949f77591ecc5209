import { transact } from '../../src/store/transact.ts'
import { beforeAll, describe, expect, test } from 'bun:test'
import { addUp } from '../../src/clicks/counters/rollups.ts'
import {
  writeLinkTotals,
  writeWorkspaceHours,
  writeWorkspaceTotals,
} from '../../src/clicks/counters/write-counters.ts'
import { FactMonths, writeFacts } from '../../src/clicks/facts/write-facts.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'
import { SOME_DIMENSIONS } from '../rigs/clicks/read-clicks.ts'

const rig = useContractRig()
const caller = useCaller(rig)
let link: { id: number; short_code: string }

beforeAll(countClicks)

describe('a series', () => {
  test('has every day of the range, zero for those without clicks, and its bounds', async () => {
    const { counts, meta } = await series('from=2024-03-08&to=2024-03-12')
    expect(counts).toEqual({
      '2024-03-08': 0,
      '2024-03-09': 1,
      '2024-03-10': 3,
      '2024-03-11': 2,
      '2024-03-12': 0,
    })
    expect(meta).toEqual({
      from: '2024-03-08T00:00:00.000000Z',
      to: '2024-03-13T00:00:00.000000Z',
      granularity: 'day',
      timezone: 'UTC',
      total: 6,
    })
  })

  test('has the days of the time zone, also when the clocks change', async () => {
    const { counts, meta } = await series(
      'from=2024-03-09&to=2024-03-11&timezone=America/New_York&granularity=day',
    )
    expect(counts).toEqual({ '2024-03-09': 2, '2024-03-10': 3, '2024-03-11': 1 })
    expect(meta).toMatchObject({
      from: '2024-03-09T05:00:00.000000Z',
      to: '2024-03-12T04:00:00.000000Z',
      timezone: 'America/New_York',
    })
  })

  test('has 23 hours on the day that the clocks go forward', async () => {
    const { counts } = await series('from=2024-03-10&to=2024-03-10&timezone=America/New_York')
    expect(Object.keys(counts)).toHaveLength(23)
    expect(counts).toMatchObject({
      '2024-03-10T00:00-05:00': 0,
      '2024-03-10T01:00-05:00': 1,
      '2024-03-10T03:00-04:00': 1,
      '2024-03-10T23:00-04:00': 1,
    })
    expect(counts).not.toHaveProperty('2024-03-10T02:00-05:00')
  })

  test('has the days of a time zone that is half an hour off', async () => {
    const timezone = 'timezone=Asia/Kolkata&granularity=day'
    expect((await series(`from=2024-03-10&to=2024-03-11&${timezone}`)).counts).toEqual({
      '2024-03-10': 4,
      '2024-03-11': 2,
    })
    const apart = await Promise.all(
      ['2024-03-10', '2024-03-11'].map((day) => series(`from=${day}&to=${day}&${timezone}`)),
    )
    expect(apart.map(({ meta }) => meta.total)).toEqual([4, 2])
  })

  test('has the hours of the time zone, also when it is not a whole number of hours off', async () => {
    const hour = 'from=2024-03-10T06:00:00Z&to=2024-03-10T08:00:00Z&granularity=hour'
    for (const [timezone, expected] of [
      [
        'Asia/Kolkata',
        { '2024-03-10T11:00+05:30': 0, '2024-03-10T12:00+05:30': 2, '2024-03-10T13:00+05:30': 0 },
      ],
      [
        'Asia/Kathmandu',
        { '2024-03-10T11:00+05:45': 0, '2024-03-10T12:00+05:45': 2, '2024-03-10T13:00+05:45': 0 },
      ],
      [
        'America/St_Johns',
        { '2024-03-10T03:00-02:30': 0, '2024-03-10T04:00-02:30': 2, '2024-03-10T05:00-02:30': 0 },
      ],
      ['Australia/Lord_Howe', { '2024-03-10T17:00+11:00': 1, '2024-03-10T18:00+11:00': 1 }],
    ] as const) {
      const { counts, meta } = await series(`${hour}&timezone=${timezone}`)
      expect(counts).toEqual(expected)
      expect([meta.from, meta.to]).toEqual(['2024-03-10T06:00:00.000000Z', '2024-03-10T08:00:00.000000Z'])
    }
  })

  test('has months', async () => {
    const { counts, meta } = await series('from=2024-02-15&to=2024-05-31&granularity=month')
    expect(counts).toEqual({ '2024-02': 0, '2024-03': 6, '2024-04': 0, '2024-05': 1 })
    expect(meta.granularity).toBe('month')
  })

  test('has weeks of the time zone, which begin on Monday', async () => {
    // One click is still of Sunday in New York.
    const query = 'from=2024-03-08&to=2024-03-20&timezone=America/New_York&granularity=week'
    const { counts, meta } = await series(query)
    expect(counts).toEqual({ '2024-03-04': 5, '2024-03-11': 1, '2024-03-18': 0 })
    expect(meta).toMatchObject({
      from: '2024-03-08T05:00:00.000000Z',
      to: '2024-03-21T04:00:00.000000Z',
      granularity: 'week',
      total: 6,
    })
  })

  test('has hours between two times, including the hours that they fall in', async () => {
    const query = 'from=2024-03-10T06:30:00Z&to=2024-03-10T08:30:00'
    const { counts, meta } = await series(`${query}%2B01:00`)
    // In a query, a plus sign that is not encoded is a blank.
    expect((await series(`${query}+01:00`)).meta).toEqual(meta)
    expect(counts).toEqual({ '2024-03-10T06:00+00:00': 1, '2024-03-10T07:00+00:00': 1 })
    expect(meta.granularity).toBe('hour')
  })

  test('is by hour for two days, by day for some months and by month beyond, unless specified', async () => {
    const granularities = await Promise.all(
      ['from=2024-03-01&to=2024-03-02', 'from=2024-03-01&to=2024-05-01', 'from=2023-03-01&to=2024-03-01'].map(
        async (query) => (await series(query)).meta.granularity,
      ),
    )
    expect(granularities).toEqual(['hour', 'day', 'month'])
  })

  test('has as many records as its period has hours, days or months, the current one included', async () => {
    for (const [period, granularity, records] of [
      ['24h', 'hour', 24],
      ['7d', 'day', 7],
      ['30d', 'day', 30],
      ['90d', 'day', 90],
      ['12m', 'month', 12],
    ] as const) {
      const { counts, meta } = await series(`period=${period}`)
      expect([Object.keys(counts).length, meta.granularity]).toEqual([records, granularity])
    }
    expect((await series('')).meta).toMatchObject({ granularity: 'day', timezone: 'UTC', total: 0 })
    expect(Object.keys((await series('')).counts)).toHaveLength(30)
  })
})

describe('the range', () => {
  test('narrows the breakdowns and the analytics of a link alike', async () => {
    const query = 'from=2024-03-10&to=2024-03-10&timezone=America/New_York'
    for (const name of ['countries', 'devices', 'browsers']) {
      const { data, meta } = (await get(`${name}?${query}`)).body
      expect([data.length, data[0].clicks, data[0].percentage, meta.total]).toEqual([1, 3, 100, 3])
    }
    const { data, meta } = (await get(`links/${link.short_code}?${query}`)).body
    expect([data.total_clicks, data.timeseries.length, meta.total]).toEqual([3, 23, 3])
    expect(data.last_clicked_at).toBe('2024-05-01T00:00:00.000000Z')
  })

  test('without a click has no rows', async () => {
    const { data, meta } = (await get('countries?from=2024-04-01&to=2024-04-30')).body
    expect([data, meta.total]).toEqual([[], 0])
  })
})

const MOMENT =
  'must be a date (2026-04-20) or a timestamp with an offset (2026-04-20T09:30:00Z), from 1970 to 2199.'
const LIMIT = 'The limit must be an integer between 1 and 100.'
const PERIOD = 'The period must be one of 24h, 7d, 30d, 90d, 12m, all.'
const ZONE = 'The timezone must be a name of the IANA time zone database, such as Europe/Berlin.'

describe.each(['clicks', 'countries', 'devices', 'browsers', 'links/CODE'])(
  'a request to %s is refused',
  (name) => {
    test.each<[query: string, errors: Record<string, string[]>]>([
      ['from=yesterday', { from: [`The start ${MOMENT}`] }],
      ['from=2024-02-30', { from: [`The start ${MOMENT}`] }],
      ['to=2024-03-10T10:00:00', { to: [`The end ${MOMENT}`] }],
      ['from=2024-03-10&to=2024-03-09', { from: ['The start must be before the end.'] }],
      ['period=1w', { period: [PERIOD] }],
      ['period=7d&from=2024-03-10', { period: ['The period cannot be combined with from and to.'] }],
      ['timezone=Mars', { timezone: [ZONE] }],
      ['timezone=%2B05:30', { timezone: [ZONE] }],
      ['granularity=year', { granularity: ['The granularity must be one of hour, day, week, month.'] }],
      [
        'from=2020-01-01&to=2024-01-01&granularity=hour',
        { granularity: ['The range has more than 2500 buckets: choose a coarser granularity.'] },
      ],
      ['limit=0', { limit: [LIMIT] }],
      ['limit=101', { limit: [LIMIT] }],
      ['limit=ten', { limit: [LIMIT] }],
      ['limit=1.5', { limit: [LIMIT] }],
      ['limit=1&limit=2', { limit: ['The limit may be given only once.'] }],
      ['period=7d&period=7d', { period: ['The period may be given only once.'] }],
      ['period=1w&timezone=Mars&limit=0', { timezone: [ZONE], period: [PERIOD], limit: [LIMIT] }],
    ])('with 422 for ?%s', async (query, errors) => {
      const answer = await get(`${name.replace('CODE', link.short_code)}?${query}`)
      expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
    })
  },
)

test('the limit is 20 rows, and may be 1 to 100', async () => {
  for (const limit of ['1', '100', '']) expect((await get(`countries?limit=${limit}`)).status).toBe(200)
})

async function countClicks(): Promise<void> {
  link = await makeLink(rig, caller)
  const dimensions = { ...SOME_DIMENSIONS, browser: 'Firefox', os: 'Linux', referrer: '' }
  const clicks = CLICKED_AT.map((text) => ({
    click: {
      linkId: link.id,
      workspaceId: caller.workspaceId,
      clickedAtUs: Date.parse(text) * 1000,
      visitor: 0,
      country: 'DE',
      userAgent: '',
      referrer: '',
    },
    dimensions,
  }))
  const everyClick = Uint8Array.from(clicks, () => 1)
  const firstVisits = { toLink: everyClick, toWorkspace: everyClick }
  const rollup = addUp(clicks, firstVisits)
  await new FactMonths().prepare(
    rig.store.relaxedDb,
    clicks.map(({ click }) => click),
  )
  await transact(rig.store.db, async (tx) => {
    await writeLinkTotals(tx, rollup)
    await writeFacts(tx, clicks, { firstVisits, hasExactTimes: true })
    await writeWorkspaceTotals(tx, rollup)
    await writeWorkspaceHours(tx, rollup.workspaceHours)
  })
}

/** Clicks of past years, so that the expected counts do not depend on when the tests run. */
describe('a comparison', () => {
  const query = 'from=2024-03-10&to=2024-03-11'
  const comparison = {
    from: '2024-03-10T00:00:00.000000Z',
    to: '2024-03-12T00:00:00.000000Z',
    clicks: 5,
    previous_from: '2024-03-08T00:00:00.000000Z',
    previous_to: '2024-03-10T00:00:00.000000Z',
    previous_clicks: 1,
  }

  test('is null for a time before the link or the workspace was there', async () => {
    for (const path of ['clicks', 'countries', 'links', `links/${link.short_code}`])
      expect((await get(`${path}?${query}&compare=previous`)).body.meta.comparison).toBeNull()
    expect((await get(`clicks?${query}`)).body.meta).not.toHaveProperty('comparison')
  })

  test('has the counts of the time before, of each day and of each row', async () => {
    const past = { created_at: 0 }
    await rig.store.relaxedDb.updateTable('links').set(past).where('id', '=', link.id).execute()
    await rig.store.relaxedDb
      .updateTable('workspaces')
      .set(past)
      .where('id', '=', caller.workspaceId)
      .execute()
    const { data, meta } = (await get(`clicks?${query}&granularity=day&compare=previous`)).body
    expect(meta.comparison).toEqual(comparison)
    expect(data.map(({ previous }: any) => previous)).toEqual([
      { date: '2024-03-08', clicks: 0, unique_visitors: 0 },
      { date: '2024-03-09', clicks: 1, unique_visitors: 1 },
    ])
    for (const path of ['countries', 'sources', 'tags', 'domains', 'utm', 'links']) {
      const { body } = await get(`${path}?${query}&granularity=day&compare=previous`)
      expect(body.meta.comparison).toEqual(comparison)
      expect(body.data).toMatchObject([{ comparison: { clicks: 5, previous_clicks: 1 } }])
    }
    const ofLink = (await get(`links/${link.short_code}?${query}&compare=year`)).body
    const ofWeeks = (await get(`clicks?${query}&granularity=week&compare=year`)).body
    expect(ofWeeks.meta.comparison).toMatchObject({ clicks: 5, previous_from: '2023-03-12T00:00:00.000000Z' })
    expect(ofWeeks.data.map(({ date, previous }: any) => [date, previous.date])).toEqual([
      ['2024-03-04', '2023-03-06'],
      ['2024-03-11', '2023-03-13'],
    ])
    expect(ofLink.meta.comparison).toMatchObject({
      clicks: 5,
      previous_from: '2023-03-10T00:00:00.000000Z',
      previous_clicks: 0,
    })
  })

  test('leaves out what is not over, and marks it', async () => {
    const { data, meta } = (await get('clicks?period=7d&compare=previous')).body
    expect(data.map(({ complete }: any) => complete)).toEqual([...Array(6), false])
    expect(data.at(-1)).not.toHaveProperty('previous')
    expect(meta.comparison.to).toBe(`${data.at(-1).date}T00:00:00.000000Z`)
    const isCompared = (await get('clicks?period=all&compare=previous')).body.meta.comparison
    expect(isCompared).toBeNull()
  })
})

const CLICKED_AT = [
  '2024-03-09T23:59:59Z',
  '2024-03-10T04:30:00Z', // still the 9th in New York
  '2024-03-10T06:59:59Z', // the last second before its clocks go from 2 to 3
  '2024-03-10T07:00:00Z',
  '2024-03-11T03:59:59Z', // the last second of the 10th in New York
  '2024-03-11T04:00:00Z',
  '2024-05-01T00:00:00Z',
]

const get = (path: string) => rig.call('GET', `/api/analytics/${path}`, { key: caller.key })
const series = async (query: string) => {
  const { data, meta } = (await get(`clicks?${query}`)).body
  const counts = data.map(({ date, clicks }: { date: string; clicks: number }) => [date, clicks])
  return { counts: Object.fromEntries(counts), meta }
}
