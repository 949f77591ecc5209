import { type Dimension, WHOLE_DIMENSIONS } from '../../../src/clicks/facts/dimensions.ts'
import type { ClickTally, Selection } from './click-tally.ts'
import { MODELED_DIMENSIONS } from './modeled-dimensions.ts'
import { type HistoryLink, passesLinkFilters, titleOf } from './modeled-links.ts'
import { modelRange, type ModeledRange } from './modeled-range.ts'
import { LIMIT_DEFAULT, type Question, type QuestionFilter } from './random-questions.ts'

/** A part of an answer, all of the same clicks: what it is, and what it has to be when these are counted. */
export type ReportPart = { selection: Selection; answered: unknown; expected(tally: ClickTally): unknown }

export type ReportWorld = {
  links: readonly HistoryLink[]
  workspaces: readonly { createdAtUs: number }[]
  host: string
  baseUrl: string
}

const ALL_TIME = { fromQuarter: 0, toQuarter: 10_000_000, buckets: [{ fromQuarter: 0 }] }
const QUARTERS_OF_DAY = 96
const DAY_US = 86_400_000_000
const QUARTER_US = 900_000_000
const TOP_LINKS = 10

type Moment = { nowUs: number }

/** Whether the range of the question has to be refused. */
export const isRefused = (question: Question, world: ReportWorld, moment: Moment): boolean =>
  question.report !== 'overview' && rangeOf(question, world, moment) === undefined

/** The parts of an answer at this moment, by what the documentation says. */
export function reportParts(
  question: Question,
  world: ReportWorld,
  { nowUs, body }: Moment & { body: any },
): ReportPart[] {
  if (question.report === 'overview') return overviewParts(question, world, { nowUs, data: body.data })
  const range = rangeOf(question, world, { nowUs })!
  if (question.report === 'link') return linkParts(question, world, { range, nowUs, body })
  const { data, meta } = body
  return [
    {
      selection: selectionOf(question, world, range),
      answered: { data, meta },
      expected: (tally) => ({
        data: rowsOf(question, world, { range, tally, nowUs }),
        meta: metaOf(range, tally.clicks),
      }),
    },
  ]
}

function rangeOf({ link, workspace, range }: Question, world: ReportWorld, { nowUs }: Moment) {
  const { createdAtUs: sinceUs } = link === undefined ? world.workspaces[workspace]! : world.links[link]!
  return modelRange(range, { nowUs, sinceUs })
}

type Counted = { range: ModeledRange; tally: ClickTally; nowUs: number }

function rowsOf(question: Question, world: ReportWorld, counted: Counted): object[] {
  const { tally } = counted
  const { report, limit = LIMIT_DEFAULT } = question
  if (report === 'clicks') return points(counted)
  if (report === 'links') return topLinks(world, tally).slice(0, limit).map(linkRow(world, tally))
  return breakdown(report as Dimension, tally, limit)
}

function linkParts(
  question: Question,
  world: ReportWorld,
  { range, nowUs, body }: Omit<Counted, 'tally'> & { body: any },
): ReportPart[] {
  const { last_clicked_at: lastClickedAt, ...data } = body.data
  const { link: place, limit = LIMIT_DEFAULT } = question
  const { id, code } = world.links[place!]!
  const link = { id, short_code: code, short_url: `${world.baseUrl}/${code}`, title: titleOf({ code }) }
  const breakdowns = (tally: ClickTally) =>
    Object.fromEntries(
      WHOLE_DIMENSIONS.map((name) => [MODELED_DIMENSIONS[name].report, breakdown(name, tally, limit)]),
    )
  return [
    {
      selection: selectionOf(question, world, range),
      answered: { data, meta: body.meta },
      expected: (tally) => ({
        data: { link, ...totals(tally), timeseries: points({ range, tally, nowUs }), ...breakdowns(tally) },
        meta: metaOf(range, tally.clicks),
      }),
    },
    {
      selection: { ...selectionOf({ ...question, filters: [] }, world, range), ...ALL_TIME },
      answered: lastClickedAt,
      expected: ({ lastUs }) => (lastUs === undefined ? null : isoTime(lastUs)),
    },
  ]
}

function overviewParts(
  question: Question,
  world: ReportWorld,
  { nowUs, data }: { nowUs: number; data: any },
): ReportPart[] {
  const { total_clicks: totalClicks, clicks_today: clicksToday, ...counts } = data.overview
  const ofAll: Selection = {
    ...ALL_TIME,
    links: linksOf(question, world),
    filters: [],
    isOfLink: false,
    isKept: true,
    dimensions: [],
  }
  const today = { fromQuarter: Math.floor(nowUs / DAY_US) * QUARTERS_OF_DAY }
  const links = world.links.filter(
    ({ workspace, isDeleted }) => workspace === question.workspace && !isDeleted,
  )
  const top = (tally: ClickTally) => {
    const first = topLinks(world, tally).slice(0, TOP_LINKS)
    return first.map(([{ id, code }, clicks]) => ({
      id,
      short_code: code,
      title: titleOf({ code }),
      click_count: clicks,
    }))
  }
  return [
    {
      selection: ofAll,
      answered: counts,
      expected: () => ({ total_links: links.length, active_links: links.length }),
    },
    { selection: ofAll, answered: totalClicks, expected: ({ clicks }) => clicks },
    {
      selection: { ...ofAll, ...today, buckets: [today] },
      answered: clicksToday,
      expected: ({ clicks }) => clicks,
    },
    { selection: ofAll, answered: data.top_links, expected: top },
  ]
}

function selectionOf(question: Question, world: ReportWorld, range: ModeledRange): Selection {
  const { report, link, filters } = question
  const ofLink = report === 'link' ? WHOLE_DIMENSIONS : []
  const dimensions = report in MODELED_DIMENSIONS ? [report as Dimension] : ofLink
  return {
    links: linksOf(question, world),
    filters: filters.map((filter) => ({ dimension: filter.dimension, isWanted: isWantedBy(filter) })),
    ...range,
    isOfLink: link !== undefined,
    isKept: isKept(question, range),
    dimensions,
  }
}

const linksOf = ({ link, workspace, linkFilters }: Question, { links, host }: ReportWorld): Uint8Array =>
  Uint8Array.from(links, (each, place) => {
    const isOne = link === undefined ? each.workspace === workspace : place === link
    return Number(isOne && passesLinkFilters(each, linkFilters, host))
  })

const isWantedBy =
  ({ dimension, words, isNegated }: QuestionFilter) =>
  (value: string): boolean => {
    const { word, isCaseless } = MODELED_DIMENSIONS[dimension]
    const spelled = (text: string | undefined) => (isCaseless ? text?.toLowerCase() : text)
    return words.some((each) => spelled(each) === spelled(word(value))) !== isNegated
  }

/** Reports of a whole workspace by whole hours of UTC, without filters. */
function isKept(
  { report, link, filters, linkFilters }: Question,
  { fromQuarter, toQuarter, buckets }: ModeledRange,
): boolean {
  const isWhole = !(report in MODELED_DIMENSIONS) || (WHOLE_DIMENSIONS as readonly string[]).includes(report)
  const bounds = [fromQuarter, toQuarter, ...buckets.map((bucket) => bucket.fromQuarter)]
  return (
    isWhole &&
    link === undefined &&
    filters.length + linkFilters.length === 0 &&
    bounds.every((quarter) => quarter % 4 === 0)
  )
}

const points = ({ range: { buckets, toQuarter }, tally: { series }, nowUs }: Counted) =>
  series.map(({ clicks, visitors }, at) => {
    const isOver = (buckets[at + 1]?.fromQuarter ?? toQuarter) * QUARTER_US <= nowUs
    const point = { date: buckets[at]!.label, clicks, unique_visitors: visitors }
    return isOver ? point : { ...point, complete: false }
  })

function totals({ series }: ClickTally) {
  const sum = { total_clicks: 0, unique_visitors: 0, bot_clicks: 0 }
  for (const { clicks, visitors, bots } of series) {
    sum.total_clicks += clicks
    sum.unique_visitors += visitors
    sum.bot_clicks += bots
  }
  return sum
}

function breakdown(name: Dimension, tally: ClickTally, limit: number): object[] {
  const values = [...tally.values.get(name)!]
  const ordered = values.sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1))
  return ordered.slice(0, limit).map(([value, clicks]) => ({
    ...MODELED_DIMENSIONS[name].row(value),
    clicks,
    percentage: percentage(clicks, tally.clicks),
  }))
}

const topLinks = ({ links }: ReportWorld, tally: ClickTally): [HistoryLink, number][] =>
  [...tally.links]
    .map(([place, clicks]): [HistoryLink, number] => [links[place]!, clicks])
    .filter(([{ isDeleted }]) => !isDeleted)
    .sort(([one, some], [other, more]) => more - some || other.id - one.id)

const linkRow =
  ({ host }: ReportWorld, tally: ClickTally) =>
  ([{ id, code }, clicks]: [HistoryLink, number]) => ({
    id,
    short_code: code,
    title: titleOf({ code }),
    domain: host,
    clicks,
    percentage: percentage(clicks, tally.clicks),
  })

const metaOf = ({ fromQuarter, toQuarter, granularity, timezone }: ModeledRange, total: number) => ({
  from: isoTime(fromQuarter * QUARTER_US),
  to: isoTime(toQuarter * QUARTER_US),
  granularity,
  timezone,
  total,
})

/** With microseconds. */
function isoTime(us: number): string {
  const ms = Math.floor(us / 1000)
  return `${new Date(ms).toISOString().slice(0, -1)}${String(us - ms * 1000).padStart(3, '0')}Z`
}

const percentage = (clicks: number, all: number) => Math.round((clicks / all) * 10_000) / 100
