import { IMPORTED_DIMENSIONS, type ImportedDimension } from '../../../src/clicks/imported/imported-clicks.ts'
import type { SeededRandom } from '../../simulation/seeded-random.ts'
import type { OperatedFolder } from '../program/operated-folder.ts'
import { MODELED_DIMENSIONS, sourceOf } from './modeled-dimensions.ts'
import { type HistoryLink, isUtm, newLink } from './modeled-links.ts'
import { type ModeledRange, zoneTime } from './modeled-range.ts'
import { LIMIT_DEFAULT, type Question } from './random-questions.ts'
import { linksOf, type ReportWorld } from './report-selection.ts'
import { isoDate } from './zone-time.ts'

/** What another program counted for a link. `firstDay`, `lastDay`: when clicks without a day may have been. */
export type ModeledImport = {
  total: number
  days: ReadonlyMap<number, number>
  values: ReadonlyMap<ImportedDimension, ReadonlyMap<string, number>>
  firstDay: number
  lastDay: number
}

const DAY_US = 86_400_000_000
const QUARTER_US = 900_000_000
const [TOTAL_MAX, DAYS_MAX, DAYS_BEFORE] = [5_000, 30, 300]

const dayOf = (us: number) => Math.floor(us / DAY_US)

type Times = { createdAtUs: number; startUs: number; nowUs: number }

function randomImport(random: SeededRandom, { createdAtUs, startUs, nowUs }: Times): ModeledImport {
  const total = random.between(1, TOTAL_MAX)
  const [first, today] = [dayOf(startUs) - DAYS_BEFORE, dayOf(nowUs)]
  const days = Array.from({ length: random.below(DAYS_MAX) }, () => random.between(first, today))
  const dated = partsOf(random, { total, names: days })
  const values = IMPORTED_DIMENSIONS.map((name) => {
    const names = MODELED_DIMENSIONS[name].values.filter(() => random.chance(0.6))
    return [name, random.chance(0.2) ? new Map<string, number>() : partsOf(random, { total, names })] as const
  })
  const firstDay = Math.min(dayOf(createdAtUs), ...dated.keys())
  return {
    total,
    days: dated,
    values: new Map(values),
    firstDay,
    lastDay: Math.max(today, firstDay + 1, ...dated.keys()),
  }
}

type Importing = { random: SeededRandom; startUs: number; api: OperatedFolder['api'] }

/** Imports clicks for half of the links of a workspace. */
export async function importClicks(
  links: readonly HistoryLink[],
  { random, startUs, api }: Importing,
): Promise<void> {
  const clicked = links.filter((_, place) => place === 0 || random.chance(0.5))
  for (const link of clicked)
    link.imported = randomImport(random, { ...link, startUs, nowUs: Date.now() * 1000 })
  const body = { links: clicked.map((link) => importedLink(link, link.imported!)), on_conflict: 'replace' }
  const { status, body: answer } = await api('POST', '/api/links/import', body)
  const results: string[] = status === 200 ? JSON.parse(answer).data.map(({ result }: any) => result) : []
  if (results.length !== clicked.length || results.some((result) => result !== 'replaced'))
    throw new Error(`The clicks were not imported: ${status} ${answer}`)
}

/** Each name gets some of what is left of the total. */
function partsOf<Name>(random: SeededRandom, { total, names }: { total: number; names: readonly Name[] }) {
  let left = total
  const parts = new Map<Name, number>()
  for (const name of new Set(names)) {
    const clicks = random.below(left + 1)
    left -= clicks
    if (clicks > 0) parts.set(name, clicks)
  }
  return parts
}

/** As an import sends it. */
const importedLink = (link: HistoryLink, { total, days, values }: ModeledImport) => {
  const parts = IMPORTED_DIMENSIONS.map((name) => {
    const { report, word } = MODELED_DIMENSIONS[name]
    return [report, [...values.get(name)!].map(([value, clicks]) => ({ name: word(value), clicks }))] as const
  })
  const { original_url, custom_code } = newLink(link)
  const byDay = [...days].map(([day, clicks]) => ({ day: isoDate(day), clicks }))
  return { original_url, custom_code, clicks: { total, days: byDay, ...Object.fromEntries(parts) } }
}

/** When the link or the workspace was created, or before that the first day of what was imported, also for links in the trash. */
export function sinceImported(
  { link, workspace }: Question,
  { links }: ReportWorld,
  createdAtUs: number,
): number {
  const own = links.filter((each, place) =>
    link === undefined ? each.workspace === workspace : place === link,
  )
  const days = own.flatMap(({ imported }) => (imported === undefined ? [] : [firstDayOf(imported)]))
  return Math.min(createdAtUs, ...days.map((day) => day * DAY_US))
}

/** Without clicks that have no day, the first one that has one. */
const firstDayOf = ({ total, days, firstDay }: ModeledImport): number =>
  sumOf([...days.values()]) < total ? firstDay : Math.min(...days.keys())

/** The answer to a question about imported clicks, as the documentation describes it. */
export function expectedImported(
  question: Question,
  world: ReportWorld,
  { range, nowUs, sinceUs }: { range: ModeledRange; nowUs: number; sinceUs: number },
): object {
  const notReachedBy = filtersOfClicks(question)
  if (notReachedBy.length > 0) return { imported: null, not_reached_by: notReachedBy }
  const wanted = linksOf(question, world)
  const imports = world.links.flatMap(({ imported, isDeleted }, place) =>
    imported !== undefined && !isDeleted && wanted[place] === 1 ? [imported] : [],
  )
  const { first, last } = wholeDays(range, { nowUs, sinceUs })
  const whole = imports.filter(({ firstDay, lastDay }) => firstDay >= first && lastDay <= last)
  const undated = sumOf(whole.map(({ total, days }) => total - sumOf([...days.values()])))
  const dated = imports.flatMap(({ days }) => [...days].filter(([day]) => day >= first && day <= last))
  const { limit = LIMIT_DEFAULT } = question
  const rowsOf = (name: ImportedDimension) =>
    summed(whole.flatMap(({ values }) => [...values.get(name)!])).map(([value, clicks]) => ({
      ...MODELED_DIMENSIONS[name].row(value),
      clicks,
    }))
  const sources = summed(
    whole.flatMap(({ values }) =>
      [...values.get('referrer')!].map(([host, clicks]) => [sourceOf(host), clicks] as const),
    ),
  )
  return {
    imported: {
      clicks: undated + sumOf(dated.map(([, clicks]) => clicks)),
      undated,
      series: range.granularity === 'hour' ? null : seriesOf(range, dated),
      ...Object.fromEntries(
        IMPORTED_DIMENSIONS.map((name) => [MODELED_DIMENSIONS[name].report, rowsOf(name).slice(0, limit)]),
      ),
      sources: sources.slice(0, limit).map(([source, clicks]) => ({ source: source || null, clicks })),
    },
    not_reached_by: [],
  }
}

/** In the order in which the documentation of the parameters has them. */
function filtersOfClicks({ filters, linkFilters }: Question): string[] {
  const names = filters.map(({ dimension, isOfSources }) => (isOfSources ? 'source' : dimension))
  const all = new Set<string>([...names, ...linkFilters.filter(isUtm).map(({ name }) => name)])
  return [...Object.keys(MODELED_DIMENSIONS), 'source', 'utm_source', 'utm_campaign'].filter((name) =>
    all.has(name),
  )
}

/** Both are in the range as a whole. Before its owner and after now there is nothing that it could lack. */
function wholeDays(
  { fromQuarter, toQuarter, timezone }: ModeledRange,
  { nowUs, sinceUs }: { nowUs: number; sinceUs: number },
) {
  const zone = zoneTime(timezone)
  const day = zone.dayOf(fromQuarter)
  return {
    first:
      fromQuarter * QUARTER_US <= sinceUs ? -Infinity : zone.startOfDay(day) === fromQuarter ? day : day + 1,
    last: toQuarter * QUARTER_US > nowUs ? Infinity : zone.dayOf(toQuarter) - 1,
  }
}

function seriesOf({ buckets, timezone }: ModeledRange, dated: readonly (readonly [number, number])[]) {
  const zone = zoneTime(timezone)
  const starts = buckets.map(({ fromQuarter }) => zone.dayOf(fromQuarter))
  const series = buckets.map(({ label }) => ({ date: label, clicks: 0 }))
  for (const [day, clicks] of dated)
    series[
      Math.max(
        starts.findLastIndex((start) => start <= day),
        0,
      )
    ]!.clicks += clicks
  return series
}

/** The most clicked first. */
function summed(rows: readonly (readonly [string, number])[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const [value, clicks] of rows) sums.set(value, (sums.get(value) ?? 0) + clicks)
  return [...sums].sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, clicks) => sum + clicks, 0)
