import { expect, test } from 'bun:test'
import { fixture, linksOf } from '../../../test/rigs/import-fixtures.ts'
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

type Link = Awaited<ReturnType<typeof linksOf>>[number]

const text = (code: string | null | undefined, days: Record<string, number>): string =>
  `${code} ${JSON.stringify(Object.entries(days).sort())}`

const daysOf = ({ code, clicksBy }: Link): string =>
  text(code, Object.fromEntries((clicksBy?.days ?? []).map(({ day, clicks }) => [day, clicks])))

const namesOf = (rows: readonly { name: string; clicks: number }[] = []): Record<string, number> =>
  Object.fromEntries(rows.map(({ name, clicks }) => [name, clicks]))
