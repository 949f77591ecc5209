import { WHOLE_DIMENSIONS } from '../../../src/store/click-dimensions.ts'
import type { ClickTally, ReportPart, Selection } from './click-tally.ts'
import { type CountedRow, countedRows, dimensionRows, topLinks } from './expected-rows.ts'
import { comparedParts, withoutComparison } from './compared-parts.ts'
import { expectedImported, sinceImported } from './imported-model.ts'
import { MODELED_DIMENSIONS } from './modeled-dimensions.ts'
import { titleOf } from './modeled-links.ts'
import { bucketsOver } from './modeled-comparison.ts'
import { isoTime, modelRange, type ModeledRange } from './modeled-range.ts'
import { LIMIT_DEFAULT, type Question } from './random-questions.ts'
import { linksOf, type ReportWorld, selectionOf } from './report-selection.ts'

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
  if (question.report === 'imported') {
    const expected = expectedImported(question, world, { range, nowUs, sinceUs: sinceOf(question, world) })
    return [{ selection: selectionOf(question, world, range), answered: body.data, expected: () => expected }]
  }
  const compared = comparedParts(question, world, { range, nowUs, sinceUs: sinceOf(question, world), body })
  if (question.report === 'link') return [...linkParts(question, world, { range, nowUs, body }), ...compared]
  const { data, meta } = withoutComparison(body)
  return [
    {
      selection: selectionOf(question, world, range),
      answered: { data, meta },
      expected: (tally) => ({
        data: rowsOf(question, world, { range, tally, nowUs }),
        meta: metaOf(range, tally.clicks),
      }),
    },
    ...compared,
  ]
}

const rangeOf = (question: Question, world: ReportWorld, { nowUs }: Moment) =>
  modelRange(question.range, { nowUs, sinceUs: sinceOf(question, world) })

/** When the link, or the workspace, was created; of imported clicks, the first one may have been before. */
function sinceOf(question: Question, world: ReportWorld): number {
  const { report, link, workspace } = question
  const { createdAtUs } = link === undefined ? world.workspaces[workspace]! : world.links[link]!
  return report === 'imported' ? sinceImported(question, world, createdAtUs) : createdAtUs
}

type TalliedRange = { range: ModeledRange; tally: ClickTally; nowUs: number }

function rowsOf(question: Question, world: ReportWorld, counted: TalliedRange): object[] {
  const { report, limit = LIMIT_DEFAULT } = question
  if (report === 'clicks') return points(counted)
  return firstRows(countedRows(question, world, counted.tally), counted.tally, limit)
}

const firstRows = (rows: readonly CountedRow[], tally: ClickTally, limit: number) =>
  rows.slice(0, limit).map(({ about, clicks }) => ({
    ...about,
    clicks,
    percentage: percentage(clicks, tally.clicks),
  }))

function linkParts(
  question: Question,
  world: ReportWorld,
  { range, nowUs, body }: Omit<TalliedRange, 'tally'> & { body: any },
): ReportPart[] {
  const { data: all, meta } = withoutComparison(body)
  const { last_clicked_at: lastClickedAt, ...data } = all
  const { link: place, limit = LIMIT_DEFAULT } = question
  const { id, code } = world.links[place!]!
  const link = { id, short_code: code, short_url: `${world.baseUrl}/${code}`, title: titleOf({ code }) }
  const breakdowns = (tally: ClickTally) =>
    Object.fromEntries(
      WHOLE_DIMENSIONS.map((name) => [
        MODELED_DIMENSIONS[name].report,
        firstRows(dimensionRows(name, tally), tally, limit),
      ]),
    )
  return [
    {
      selection: selectionOf(question, world, range),
      answered: { data, meta },
      expected: (tally) => ({
        data: { link, ...totals(tally), timeseries: points({ range, tally, nowUs }), ...breakdowns(tally) },
        meta: metaOf(range, tally.clicks),
      }),
    },
    {
      selection: { ...selectionOf({ ...question, filters: [], linkFilters: [] }, world, range), ...ALL_TIME },
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
  const ofWorkspace = linksOf(question, world)
  const ofAll: Selection = {
    ...ALL_TIME,
    links: ofWorkspace,
    linksOfUtm: ofWorkspace,
    isWantedUtm: () => true,
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

function points({ range, tally: { series }, nowUs }: TalliedRange): object[] {
  const over = bucketsOver(range, nowUs)
  return series.map(({ clicks, visitors }, at) => ({
    date: range.buckets[at]!.label,
    clicks,
    unique_visitors: visitors,
    ...(at < over ? {} : { complete: false }),
  }))
}

function totals({ series }: ClickTally) {
  const sum = { total_clicks: 0, unique_visitors: 0, bot_clicks: 0 }
  for (const { clicks, visitors, bots } of series) {
    sum.total_clicks += clicks
    sum.unique_visitors += visitors
    sum.bot_clicks += bots
  }
  return sum
}

const metaOf = ({ fromQuarter, toQuarter, granularity, timezone }: ModeledRange, total: number) => ({
  from: isoTime(fromQuarter * QUARTER_US),
  to: isoTime(toQuarter * QUARTER_US),
  granularity,
  timezone,
  total,
})

const percentage = (clicks: number, all: number) => Math.round((clicks / all) * 10_000) / 100
