import type { ReportPart } from './click-tally.ts'
import { countedRows } from './expected-rows.ts'
import { bucketsOver, modelComparison } from './modeled-comparison.ts'
import { isoTime, type ModeledRange } from './modeled-range.ts'
import type { Question } from './random-questions.ts'
import { type ReportWorld, selectionOf } from './report-selection.ts'

type Compared = { range: ModeledRange; nowUs: number; sinceUs: number; body: any }

const isSeries = ({ report }: Question) => report === 'clicks' || report === 'link'

/** What `compare` adds to an answer: nothing, null, or what is counted in each of two times. */
export function comparedParts(question: Question, world: ReportWorld, compared: Compared): ReportPart[] {
  const { range, nowUs, sinceUs, body } = compared
  const points: any[] = question.report === 'link' ? body.data.timeseries : body.data
  const isCompared = question.range.compare !== undefined
  const comparison = isCompared ? modelComparison(range, question.range, { nowUs, sinceUs }) : undefined
  if (!comparison) {
    const isInRows = points.some((each) => 'comparison' in each || 'previous' in each)
    const answered = { comparison: body.meta.comparison, isInRows }
    const expected = () => ({ comparison, isInRows: false })
    return [{ selection: selectionOf(question, world, range), answered, expected }]
  }
  const { now, before } = comparison
  const { clicks, previous_clicks: previousClicks, ...times } = body.meta.comparison ?? {}
  const rows: any[] = isSeries(question) ? [] : points
  const rowsNow = rows.map(({ comparison: { clicks } = {} as any, ...row }) => ({ ...row, clicks }))
  const rowsBefore = rows.map(({ comparison: { previous_clicks: clicks } = {} as any, ...row }) => ({
    ...row,
    clicks,
  }))
  const over = bucketsOver(range, nowUs)
  return [
    countedPart(question, world, { part: now, clicks, rows: rowsNow }),
    countedPart(question, world, { part: before, clicks: previousClicks, rows: rowsBefore }),
    { selection: selectionOf(question, world, now), answered: times, expected: () => timesOf(now, before) },
    ...(isSeries(question) ? [previousPoints(question, world, { before, over, points })] : []),
  ]
}

/** The clicks of one of the two times, and of its rows. */
function countedPart(
  question: Question,
  world: ReportWorld,
  { part, clicks, rows }: { part: ModeledRange; clicks: number; rows: any[] },
): ReportPart {
  const about = rows.map(({ clicks: _, percentage: __, ...row }) => JSON.stringify(row))
  return {
    selection: selectionOf(question, world, part),
    answered: { clicks, rows: rows.map((row) => row.clicks) },
    expected(tally) {
      const counted = isSeries(question) ? [] : countedRows(question, world, tally)
      const clicksOf = new Map(counted.map((row) => [JSON.stringify(row.about), row.clicks]))
      return { clicks: tally.clicks, rows: about.map((row) => clicksOf.get(row) ?? 0) }
    },
  }
}

const timesOf = (now: ModeledRange, before: ModeledRange) => ({
  from: isoTime(now.fromQuarter * 900_000_000),
  to: isoTime(now.toQuarter * 900_000_000),
  previous_from: isoTime(before.fromQuarter * 900_000_000),
  previous_to: isoTime(before.toQuarter * 900_000_000),
})

function previousPoints(
  question: Question,
  world: ReportWorld,
  { before, over, points }: { before: ModeledRange; over: number; points: any[] },
): ReportPart {
  return {
    selection: selectionOf(question, world, before),
    answered: points.map(({ previous }) => previous),
    expected: ({ series }) =>
      points.map((_, at) => {
        const [bucket, counts] = [before.buckets[at], series[at]]
        if (at >= over || bucket === undefined) return undefined
        return { date: bucket.label, clicks: counts!.clicks, unique_visitors: counts!.visitors }
      }),
  }
}

/** The rest of an answer. */
export function withoutComparison({ data, meta: { comparison: _, ...meta } }: any) {
  const without = ({ comparison: _, previous: __, ...row }: any) => row
  if (Array.isArray(data)) return { data: data.map(without), meta }
  return { data: { ...data, timeseries: data.timeseries.map(without) }, meta }
}
