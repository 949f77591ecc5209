import { expect, test } from 'bun:test'
import { fixture, linksOf } from '../../../test/rigs/import-fixtures.ts'
import yourlsDays from '../../../test/fixtures/import/yourls/yourls-days.json'
import dubDays from '../../../test/fixtures/import/dub/events-by-day.json'
import kuttDays from '../../../test/fixtures/import/kutt/kutt-days.json'

test('the database of Kutt says the days of all clicks, their countries, browsers, systems and referrers', async () => {
  const links = await linksOf('kutt', fixture('kutt/kutt.sqlite'))
  expect(links.map(daysOf).sort()).toEqual(factsIn(kuttDays))
  const { clicksBy } = links.find(({ code }) => code === 'popular')!
  expect(namesOf(clicksBy?.countries)).toMatchObject({ DE: 238, US: 135, unknown: 83 + 83 + 73 })
  expect(namesOf(clicksBy?.referrers)).toMatchObject({ none: 264, 'news.ycombinator.com': 104 })
  // This version of Kutt takes Edge for Chrome, and Samsung Internet too.
  expect(namesOf(clicksBy?.browsers)).toMatchObject({ Firefox: 80 + 96, 'Internet Explorer': 90 })
  expect(namesOf(clicksBy?.operating_systems)).toMatchObject({ iOS: 83, macOS: 69 + 75 })
})

/** Counted by the program that opened the links: by code, its days. */
const factsIn = (facts: readonly unknown[]): string[] =>
  (facts as [string, Record<string, number>][]).map(([code, days]) => text(code, days)).sort()

test('a dump of YOURLS says the days of the clicks that a link has, whatever else its log has under its code', async () => {
  const links = await linksOf('yourls', fixture('yourls/yourls.sql'), { timeZone: 'UTC' })
  const renamed = (days: string) => !days.startsWith('renamenew ')
  expect(links.map(daysOf).filter(renamed).sort()).toEqual(factsIn(yourlsDays).filter(renamed))
  const of = (wanted: string) => links.find(({ code }) => code === wanted)!
  // Its clicks went along when it was renamed, and their rows did not.
  expect(of('renamenew').clicks).toBe(24)
  expect(sumOf(of('renamenew').clicksBy?.days)).toBe(12)
  expect(sumOf(of('reborn').clicksBy?.days)).toBe(10)
  const one = of('1').clicksBy
  expect(namesOf(one?.countries)).toEqual({ PL: 2, US: 4, BR: 2, DE: 3, FR: 1, unknown: 2 })
  // Two of its clicks are of bots.
  expect(sumOf(one?.browsers)).toBe(12)
  // It keeps no referrer of apps.
  expect(namesOf(one?.referrers)).toMatchObject({ none: 4 + 2, 'xn--mnchen-3ya.example': 1 })
})

test('the engagements of Bitly are the days of links', async () => {
  const links = await linksOf('bitly', fixture('bitly/csv-engagements-by-day.csv'))
  expect(links).toEqual([
    {
      domain: 'bit.ly',
      code: '4j82gzB',
      destination: 'https://docs.example.com/start',
      clicks: 9,
      clicksBy: {
        days: [
          { day: '2026-11-21', clicks: 1 },
          { day: '2026-11-19', clicks: 2 },
          { day: '2026-11-18', clicks: 1 },
          { day: '2026-11-16', clicks: 5 },
        ],
      },
    },
  ])
})

test('the events of Dub are the days of links, with countries, devices, browsers, systems and referrers', async () => {
  const links = await linksOf('dub', fixture('dub/events-export-all-columns.csv'))
  const days = Object.entries(dubDays).map(
    ([url, clicks]) => [url.replace('https://', '').replace('xn--158h', '🚀'), clicks] as const,
  )
  expect(links.map((link) => [`${link.domain}/${daysOf(link)}`]).sort()).toEqual(
    days.map(([place, clicks]) => [text(place, clicks)]).sort(),
  )
  const { destination, clicks, clicksBy } = links[0]!
  expect([destination, clicks]).toEqual(['https://docs.example.com/start', 24])
  expect(links.flatMap((link) => link.clicksBy!.countries!).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['DE', 'JP', 'US', 'unknown']),
  )
  expect(namesOf(clicksBy?.browsers)).not.toHaveProperty('Mobile Safari')
  for (const part of ['devices', 'browsers', 'operating_systems', 'referrers'] as const)
    expect([part, sumOf(clicksBy?.[part])]).toEqual([part, 24])
})

test('events of Dub without their destinations are refused as a whole', async () => {
  await expect(linksOf('dub', fixture('dub/events-export-default.csv'))).rejects.toThrow(
    'has clicks without the column Destination URL. Export it with all columns.',
  )
})

const sumOf = (rows: readonly { clicks: number }[] = []): number =>
  rows.reduce((sum, { clicks }) => sum + clicks, 0)

type Link = Awaited<ReturnType<typeof linksOf>>[number]

const text = (code: string | null | undefined, days: Record<string, number>): string =>
  `${code} ${JSON.stringify(Object.entries(days).sort())}`

const daysOf = ({ code, clicksBy }: Link): string =>
  text(code, Object.fromEntries((clicksBy?.days ?? []).map(({ day, clicks }) => [day, clicks])))

const namesOf = (rows: readonly { name: string; clicks: number }[] = []): Record<string, number> =>
  Object.fromEntries(rows.map(({ name, clicks }) => [name, clicks]))
