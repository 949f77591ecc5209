import type { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { readClickFilters } from '../../analytics/click-filters.ts'
import { compareRange } from '../../analytics/compare-range.ts'
import type { ClickScope } from '../../analytics/count-clicks.ts'
import { readLinkFilters, readUtmFilters } from '../../analytics/link-filters.ts'
import { isNegated } from '../../analytics/negatable-parameter.ts'
import type { Moments } from '../../analytics/lifetime-range.ts'
import { scopeOfSources } from '../../analytics/sources/click-sources.ts'
import { readTimeRange } from '../../analytics/time-range.ts'
import { scopeOfUtm, type UtmFilters } from '../../analytics/utm-filters.ts'
import type { ComparedRange } from '../../analytics/values-in-range.ts'
import type { ClickQueries } from '../../clicks/queries/click-queries.ts'
import { keyOf } from '../../links/domains/key-of.ts'
import { findLink } from '../../links/find-link.ts'
import { workspaceCreatedAtUs } from '../../workspaces/workspace.ts'
import type { ReadingContext } from '../dispatch/body-and-query.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { type Query, readParameters } from '../requests/query.ts'
import { type linkReportParameters, reportParameters } from './analytics-view.ts'

/** What a report is about, before its range is divided. `sinceUs`: when the link, or the workspace, was created. */
export async function readReport(deps: ServerDeps, caller: Caller, query: Query) {
  const { readDb: db, reportDb, domains } = deps
  const { workspaceId } = caller
  // Before values are read, as everywhere: a link that is not there is not found, whatever else is wrong.
  const named = onlyLink(query)
  const link = named && (await findLink({ db }, caller, await keyOf({ db, domains }, caller, named)))
  const { limit, ...parameters } = readParameters(reportParameters, query)
  const filters = readClickFilters(parameters)
  // Filters read many links, so they take turns with reports.
  const workspace = { db: reportDb, domains, workspaceId }
  if (link !== undefined) {
    const scope: ClickScope = { workspaceId, linkId: link.id, filters }
    const utm = await readUtmFilters(parameters, { ...workspace, linkId: link.id })
    return { scope, utm, sinceUs: link.createdAtUs, limit, parameters }
  }
  const links = await readLinkFilters(parameters, workspace)
  const utm = await readUtmFilters(parameters, workspace)
  const scope: ClickScope = { workspaceId, links, filters }
  return { scope, utm, sinceUs: await workspaceCreatedAtUs(db, workspaceId), limit, parameters }
}

/** The code of a single link, on a domain or wherever the workspace has it. Undefined for a report of several links. */
function onlyLink(query: Query): { code: string; domain: string | undefined } | undefined {
  const valuesOf = (name: string) => (query[name] ?? []).filter((value) => value !== '')
  const codes = valuesOf('short_code')
  const domains = valuesOf('domain')
  const hasOthers = valuesOf('tag').length + valuesOf('folder').length > 0
  if (hasOthers || codes.length !== 1 || domains.length > 1 || [...codes, ...domains].some(isNegated))
    return undefined
  return { code: codes[0]!, domain: domains[0] }
}

type Undivided = Moments & {
  scope: ClickScope
  utm?: UtmFilters | undefined
  parameters: Omit<z.output<typeof linkReportParameters>, 'limit'>
}

/** With its range, and with what it is compared with: undefined where nothing is. */
export async function rangeReport(
  queries: ClickQueries,
  { scope, utm, parameters, nowUs, sinceUs }: Undivided,
) {
  const range = readTimeRange(parameters, nowUs, sinceUs)
  const { compare } = parameters
  const comparison = compare === undefined ? undefined : compareRange(range, parameters, { nowUs, sinceUs })
  return {
    scope: await narrowedScope(queries, { scope, utm, parameters }, { range, comparison }),
    range,
    comparison,
    nowUs,
  }
}

/** By what is looked up in clicks of the range. */
export async function narrowedScope(
  queries: ClickQueries,
  { scope, utm, parameters: { source: sources } }: Pick<Undivided, 'scope' | 'utm' | 'parameters'>,
  range: ComparedRange,
): Promise<ClickScope> {
  const ofUtm = await scopeOfUtm(queries, scope, { ...range, utm })
  return scopeOfSources(queries, ofUtm, { ...range, sources })
}

export type RangeReport = Awaited<ReturnType<typeof rangeReport>>

export async function readRangeReport(query: Query, { deps, caller }: ReadingContext) {
  const { limit, ...report } = await readReport(deps, caller!, query)
  return { ...(await rangeReport(deps.clickQueries, { ...report, nowUs: deps.clock.nowUs() })), limit }
}
