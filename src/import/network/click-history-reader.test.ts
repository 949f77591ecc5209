import { afterEach, describe, expect, test } from 'bun:test'
import { shlinkVisitsOf } from '../../../test/rigs/import/click-answers.ts'
import { networkImport } from '../../../test/rigs/import/network-rig.ts'
import { linksIn, serviceOf, SOURCE_APIS } from '../../../test/rigs/import/source-apis.ts'
import {
  json,
  type Respond,
  type SourceServer,
  startSourceServer,
  statusOnly,
} from '../../../test/rigs/import/source-server.ts'
import type { SourceLink } from '../source.ts'

let server: SourceServer | undefined
afterEach(() => server?.stop())

describe('Shlink', () => {
  test('has the days (UTC), countries, referrers and browsers of visits, from all pages, without those of bots', async () => {
    const { linkOf } = await read('shlink')
    const [big, brand, dotted] = [linkOf('big'), linkOf('docs', 'go.brand.example'), linkOf('v1.2')]
    expect([big, brand, dotted].map(({ clicks }) => clicks)).toEqual([104, 4, 24])
    expect([big, brand, dotted].map(({ clicksBy }) => sumOf(clicksBy?.days))).toEqual([104, 4, 24])
    const humans = shlinkVisitsOf('big', null).filter(({ potentialBot }) => !potentialBot)
    expect(countsOf(big.clicksBy?.days?.map(({ day, clicks }) => [day, clicks]))).toEqual(
      counted(humans.map(({ date }) => new Date(date).toISOString().slice(0, 10))),
    )
    expect(namesOf(big.clicksBy?.countries)).toEqual(
      counted(humans.map(({ visitLocation }) => visitLocation?.countryCode || 'unknown')),
    )
    expect(Object.keys(namesOf(big.clicksBy?.referrers)).sort()).toEqual([
      'com.slack',
      'news.ycombinator.com',
      'none',
      't.co',
      'www.google.com',
    ])
    expect(sumOf(big.clicksBy?.browsers)).toBe(104)
    expect(big.lost).toEqual([])
    const pages = server!.requests.filter(({ url }) => url.pathname === '/rest/v3/short-urls/big/visits')
    expect(pages.map(({ url }) => url.searchParams.get('page'))).toEqual(['1', '2', '3'])
  })

  test('is requested about links that were clicked only', async () => {
    const clicked = linksIn(apiOf('shlink')).filter(({ visitsSummary }) => visitsSummary.nonBots > 0)
    await read('shlink')
    const requested = server!.requests.filter(({ url }) => url.pathname.endsWith('/visits'))
    const links = requested.map(({ url }) => `${url.searchParams.get('domain') ?? ''}${url.pathname}`)
    expect(new Set(links).size).toBe(clicked.length)
  })

  test('is not requested about links that are left out', async () => {
    const service = serviceOf(apiOf('shlink'), () => linksIn(apiOf('shlink')))
    server = await startSourceServer(service)
    const selection = { createdFrom: '2030-01-01' }
    await networkImport('shlink', server.url, { clicks: 'history', selection }).items()
    expect(server.requests.filter(({ url }) => url.pathname.endsWith('/visits'))).toEqual([])
  })

  test('has at most 100,000 visits of a link read, and the others come along without a day', async () => {
    const [link] = linksIn(apiOf('shlink'))
    const visit = {
      date: '2026-11-20T10:00:00+01:00',
      referer: '',
      userAgent: '',
      visitLocation: null,
      potentialBot: false,
    }
    const visits = { visits: { data: Array(5_000).fill(visit), pagination: { pagesCount: 1_000_000 } } }
    const summary = { total: 7_000_000, nonBots: 6_000_000, bots: 1_000_000 }
    const list = { shortUrls: { data: [{ ...link, visitsSummary: summary }], pagination: { pagesCount: 1 } } }
    server = await startSourceServer((request, response) =>
      json(request.url.pathname.endsWith('/visits') ? visits : list)(request, response),
    )
    const [item] = await networkImport('shlink', server.url, { clicks: 'history' }).items()
    expect(item).toMatchObject({
      link: { clicks: 6_000_000, clicksBy: { days: [{ day: '2026-11-20', clicks: 100_000 }] } },
    })
    expect(server.requests).toHaveLength(21)
  })
})

describe('Kutt', () => {
  test('has the countries, browsers, systems and referrers of a year, and no days of a calendar', async () => {
    const { clicks, clicksBy } = (await read('kutt')).linkOf('popular')
    expect([clicks, clicksBy?.days]).toEqual([1065, undefined])
    expect(namesOf(clicksBy?.countries)).toMatchObject({ DE: 238, US: 135, unknown: 83 + 83 + 73 })
    expect(namesOf(clicksBy?.referrers)).toMatchObject({ none: 264, 'news.ycombinator.com': 104 })
    expect(namesOf(clicksBy?.browsers)).toMatchObject({ Chrome: 405, 'Internet Explorer': 90 })
    expect(namesOf(clicksBy?.operating_systems)).toMatchObject({ iOS: 83, macOS: 144 })
  })
})

describe('Bitly', () => {
  test('has the total, the days, the countries and the referrers of a bitlink', async () => {
    const { clicks, clicksBy } = (await read('bitly')).linkOf('docs')
    expect(clicks).toBe(111)
    expect(sumOf(clicksBy?.days)).toBe(111)
    expect(clicksBy?.days).toContainEqual({ day: '2026-11-16', clicks: 5 })
    expect(namesOf(clicksBy?.countries)).toEqual({ US: 47, DE: 36, JP: 16, unknown: 8, GB: 4 })
    expect(namesOf(clicksBy?.referrers)).toEqual({
      none: 66,
      'qr.partners.bit.ly': 25,
      'l.instagram.com': 10,
      'www.google.com': 10,
    })
  })

  test('has no clicks of a link on a second domain: they belong to the first', async () => {
    const { links } = await read('bitly')
    const clicked = links.filter(({ clicks }) => clicks)
    expect(clicked.reduce((sum, { clicks }) => sum + clicks!, 0)).toBe(111 + 112 + 112 + 6355)
  })
})

describe('Dub', () => {
  test('has the days, and the countries, devices, browsers, systems and referrers of the same time', async () => {
    const { clicksBy } = (await read('dub')).linkOf('summer-sale')
    expect(clicksBy?.days).toContainEqual({ day: '2026-11-03', clicks: 1 })
    expect(namesOf(clicksBy?.countries)).toMatchObject({ JP: 4, unknown: 3 })
    expect(namesOf(clicksBy?.devices)).toEqual({ desktop: 8, mobile: 2 })
    expect(namesOf(clicksBy?.browsers)).toMatchObject({ Firefox: 5, Chrome: 3 })
    expect(namesOf(clicksBy?.referrers)).toMatchObject({ none: 7, 'google.com': 2 })
  })

  test('is requested in periods of 90 whole days, which do not overlap', async () => {
    await read('dub')
    const ofLink = server!.requests.filter(({ url }) => url.searchParams.get('linkId') === SUMMER_SALE)
    const days = ofLink.filter(({ url }) => url.searchParams.get('groupBy') === 'timeseries')
    expect(
      days.slice(0, 2).map(({ url }) => [url.searchParams.get('start'), url.searchParams.get('end')]),
    ).toEqual([
      ['2026-09-01T00:00:00.000Z', '2026-11-29T23:59:59.999Z'],
      ['2026-06-03T00:00:00.000Z', '2026-08-31T23:59:59.999Z'],
    ])
    // It was made 912 days ago.
    expect(days).toHaveLength(11)
    expect(ofLink).toHaveLength(11 + 5)
  })

  test('that has only the last days of a plan gives those', async () => {
    const api = apiOf('dub')
    const service = serviceOf(api, () => linksIn(api))
    const ofPlan: Respond = (request, response) => {
      const start = request.url.searchParams.get('start')
      return (start !== null && start < '2026-08' ? statusOnly(403) : service)(request, response)
    }
    const { linkOf, notices } = await read('dub', ofPlan)
    expect(linkOf('summer-sale').clicksBy).toMatchObject({
      days: expect.anything(),
      countries: expect.anything(),
    })
    expect(notices).toEqual([])
  })

  test('that refuses statistics leaves links their totals, and is not requested again', async () => {
    const api = apiOf('dub')
    const service = serviceOf(api, () => linksIn(api))
    const refusing: Respond = (request, response) =>
      (request.url.pathname === '/analytics' ? statusOnly(403) : service)(request, response)
    const { links, notices } = await read('dub', refusing)
    expect(links.filter(({ clicks }) => clicks).length).toBe(linksIn(api).filter(isClicked).length)
    expect(links.filter(({ clicksBy }) => clicksBy)).toEqual([])
    expect(notices).toEqual([
      'Dub does not say when and where its links were clicked: from link 1 on, clicks come along as totals. It answers with status 403.',
    ])
    expect(server!.requests.filter(({ url }) => url.pathname === '/analytics')).toHaveLength(1)
  })
})

test('a link that was deleted in the meantime has its total, and the others have their history', async () => {
  const api = apiOf('shlink')
  const service = serviceOf(api, () => linksIn(api))
  const { linkOf, notices } = await read('shlink', (request, response) =>
    (request.url.pathname.endsWith('/v1.2/visits') ? statusOnly(404) : service)(request, response),
  )
  expect([linkOf('v1.2').clicks, linkOf('v1.2').clicksBy]).toEqual([24, undefined])
  expect(linkOf('big').clicksBy).toBeDefined()
  expect(notices).toEqual([])
})

test('a limit of a month leaves links their totals, and a server that fails ends the import', async () => {
  const api = apiOf('shlink')
  const service = serviceOf(api, () => linksIn(api))
  const answering =
    (visits: Respond): Respond =>
    (request, response) =>
      (request.url.pathname.endsWith('/visits') ? visits : service)(request, response)
  const { notices } = await read('shlink', answering(statusOnly(429, { 'Retry-After': '86400' })))
  expect(notices).toEqual([expect.stringContaining('The limit of Shlink is reached until 2026-11-30')])
  await server!.stop()
  await expect(read('shlink', answering(statusOnly(500)))).rejects.toThrow('Shlink answers with status 500')
})

describe('without a choice', () => {
  test('a server of the user is requested for histories', async () => {
    const { links } = await read('kutt', undefined, 'usual')
    expect(links.filter(({ clicksBy }) => clicksBy?.countries).length).toBeGreaterThan(5)
  })

  test('a service is not, and it is said how many requests that would take', async () => {
    const { links, notices } = await read('bitly', undefined, 'usual')
    expect(links.filter(({ clicks }) => clicks)).toEqual([])
    expect(notices).toEqual([
      'Clicks come along without their days, countries and referrers. With "--clicks history" they are read too, by about 117 more requests to Bitly.',
    ])
  })
})

/** `_root` is no link here. */
const isClicked = ({ key, clicks }: Record<string, any>) => clicks > 0 && key !== '_root'

const SUMMER_SALE = 'link_1KD4XWPAHDDYX3ZGV9QFM4CW4B'

const apiOf = (source: string) => SOURCE_APIS.find((api) => api.source === source)!

/** What is read of a source, by code. */
async function read(source: string, service?: Respond, clicks: 'history' | 'usual' = 'history') {
  const api = apiOf(source)
  server = await startSourceServer(service ?? serviceOf(api, () => linksIn(api)))
  const { items, notices } = networkImport(source, server.url, {
    clicks: clicks === 'usual' ? undefined : clicks,
  })
  const links = (await items()).flatMap((item) => ('link' in item ? [item.link] : []))
  const linkOf = (code: string, domain?: string): SourceLink =>
    links.find((link) => link.code === code && (domain === undefined || link.domain === domain))!
  return { links, linkOf, notices }
}

const sumOf = (rows: readonly { clicks: number }[] = []): number =>
  rows.reduce((sum, { clicks }) => sum + clicks, 0)

const countsOf = (rows: [string, number][] = []): Record<string, number> => Object.fromEntries(rows)

const namesOf = (rows: readonly { name: string; clicks: number }[] = []): Record<string, number> =>
  countsOf(rows.map(({ name, clicks }) => [name, clicks]))

const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
