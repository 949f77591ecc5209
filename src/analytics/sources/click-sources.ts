import type { ClickQueries } from '../../clicks/queries/click-queries.ts'
import { ROWS_MAX } from '../../clicks/queries/click-query.ts'
import { invalid } from '../../errors/refusal.ts'
import { inTurns } from '../../runtime/turns.ts'
import { nameParameter } from '../../validation/query-parameters.ts'
import { type BreakdownRow, clickReport, percentageOf, sumSeries } from '../click-counts.ts'
import type { ClickScope } from '../count-clicks.ts'
import { negatableParameter, type NegatableValues } from '../negatable-parameter.ts'
import type { TimeRange } from '../time-range.ts'
import { type ComparedRange, valuesInRange } from '../values-in-range.ts'
import { sourceNamed, sourceOf } from './source-of.ts'

// Sites and apps that clicks came from, named when a report is read. Clicks have their hosts.

const HOSTS_MAX = 2_000
const HOSTS_PER_TURN = 5_000
const NO_SOURCE = 'none'

export const sourceParameter = negatableParameter({
  description: `The site or app that the click came from, by the name that reports give it, in any case, or by any of its hosts; \`${NO_SOURCE}\` where there was none, or none was sent.`,
  example: 'Facebook',
  value: nameParameter,
})

type SourcesInRange = ComparedRange & { sources: NegatableValues | undefined }

/** The scope, narrowed to the hosts of these sources that have clicks in the range, or in the time that it is compared with. */
export async function scopeOfSources(
  queries: ClickQueries,
  scope: ClickScope,
  { range, comparison, sources }: SourcesInRange,
): Promise<ClickScope> {
  if (sources === undefined) return scope
  const names = new Set(
    sources.values.map((text) => (text.toLowerCase() === NO_SOURCE ? '' : sourceNamed(text))),
  )
  const hosts = await valuesInRange(queries, scope, { range, comparison, dimension: 'referrer' })
  const { referrer } = scope.filters ?? {}
  // Where a filter by hosts has chosen some already, those that remain are listed. What both leave out is left out together.
  const isNegated = sources.isNegated && (referrer === undefined || referrer.isNegated === true)
  const values = isNegated ? [...(referrer?.values ?? [])] : []
  for await (const host of inTurns(hosts, HOSTS_PER_TURN))
    if (names.has(sourceOf(host)) !== (sources.isNegated && !isNegated)) values.push(host)
  if (values.length > HOSTS_MAX) throw tooManyHosts()
  return { ...scope, filters: { ...scope.filters, referrer: { values, isNegated } } }
}

const tooManyHosts = () =>
  invalid({
    source: [
      `These sources have more than ${HOSTS_MAX} hosts in the range. Choose a shorter range, or fewer sources.`,
    ],
  })

/** Clicks by source, most clicks first; and those of the range. */
export async function clicksBySource(
  queries: ClickQueries,
  scope: ClickScope,
  { range, limit }: { range: TimeRange; limit: number },
): Promise<{ rows: BreakdownRow[]; total: number }> {
  const report = await clickReport(queries, scope, { range, dimensions: ['referrer'], limit: ROWS_MAX })
  const total = sumSeries(report.series).clicks
  return { rows: (await sourcesOf(report.breakdowns.referrer, total)).slice(0, limit), total }
}

/** Of the breakdown by all referrers. */
export async function sourcesOf(referrers: readonly BreakdownRow[], total: number): Promise<BreakdownRow[]> {
  const rows = await clicksBySources(referrers)
  return rows.map((row) => ({ ...row, percentage: percentageOf(row.clicks, total) }))
}

type ValueClicks = Pick<BreakdownRow, 'value' | 'clicks'>

/** The most clicked first. */
export async function clicksBySources(referrers: readonly ValueClicks[]): Promise<ValueClicks[]> {
  const sums = new Map<string, number>()
  for await (const { value, clicks } of inTurns(referrers, HOSTS_PER_TURN)) {
    const source = sourceOf(value)
    sums.set(source, (sums.get(source) ?? 0) + clicks)
  }
  return [...sums]
    .toSorted(([one, clicks], [other, otherClicks]) => otherClicks - clicks || (one < other ? -1 : 1))
    .map(([value, clicks]) => ({ value, clicks }))
}
