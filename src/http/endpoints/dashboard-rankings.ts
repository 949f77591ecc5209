import { z } from '@hono/zod-openapi'
import {
  clicksByLinkGroup,
  LINK_GROUP_NAMES,
  type LinkGroupName,
  linkGroupsBy,
} from '../../analytics/clicks-by-link-group.ts'
import { countByLink, type Quarters } from '../../analytics/count-clicks.ts'
import { topLinks } from '../../analytics/top-links.ts'
import { QUARTER_US } from '../../runtime/clock.ts'
import { choice } from '../../validation/field-rules.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { reportParameters } from './analytics-view.ts'
import { countBoth } from './comparison-view.ts'
import type { LifetimeQuery } from './dashboard-analytics.ts'

// Which links, tags, folders and domains have the most clicks in a range, each compared with the range before.

type RankingDeps = Pick<ServerDeps, 'clickQueries' | 'domains'>

const count = z.int().min(0)
const rangeComparison = z.strictObject({ now: count, before: count.nullable() }).nullable()

export const rangeLinkSchema = z.strictObject({
  id: z.int(),
  short_code: z.string(),
  domain: z.string(),
  title: z.string(),
  clicks: count.openapi({ description: 'In the range.' }),
  comparison: rangeComparison,
})
export type RangeLinkView = z.infer<typeof rangeLinkSchema>

/** The top links of the range, each compared with the range before. */
export async function rangeTopLinks(
  { clickQueries: queries, domains }: RankingDeps,
  { scope, range, limit, comparison }: LifetimeQuery,
): Promise<RangeLinkView[]> {
  const { links } = await topLinks(queries, scope, { range, limit })
  const countsIn = (part: Quarters) =>
    countByLink(queries, {
      workspaceId: scope.workspaceId,
      linkIds: links.map(({ id }) => id),
      filters: scope.filters,
      range: part,
    })
  const before = comparison?.before ?? null
  const counts = before === null ? new Map() : await countsIn(before)
  const whole = before === null ? new Map() : await countsIn(comparison!.now)
  return links.map(({ id, code, domainId, title, clicks, createdAtUs }) => {
    const wasThere = before !== null && createdAtUs <= before.fromQuarter * QUARTER_US
    return {
      id,
      short_code: code,
      domain: domains.hostOf(domainId),
      title,
      clicks,
      comparison: comparison && {
        now: whole.get(id) ?? 0,
        before: wasThere ? (counts.get(id) ?? 0) : null,
      },
    }
  })
}

/** What links are grouped by. */
export const linkGroupParameters = reportParameters.extend({ by: choice(LINK_GROUP_NAMES).default('tag') })

export const linkGroupSchema = z.strictObject({
  value: z.string().nullable().openapi({ description: 'null: links without one.' }),
  clicks: count.openapi({ description: 'In the range.' }),
  percentage: z.number(),
  comparison: rangeComparison,
})
export type LinkGroupView = z.infer<typeof linkGroupSchema>

/** The most clicked groups of links in the range, each compared with the range before. */
export async function linkGroups(
  { clickQueries: queries, domains }: RankingDeps,
  { scope, range, limit, comparison, by }: LifetimeQuery & { by: LinkGroupName },
): Promise<LinkGroupView[]> {
  const groups = linkGroupsBy(by, domains)
  const { rows } = await clicksByLinkGroup(queries, scope, { range, limit, groups })
  const both = await countBoth(comparison, (part) =>
    clicksByLinkGroup(queries, scope, { range: part, limit: Infinity, groups }),
  )
  return rows.map(({ value, ...counts }) => {
    const compared = both.ofRow(value).comparison
    return {
      ...counts,
      value: value || null,
      comparison: comparison && { now: compared?.clicks ?? 0, before: compared?.previous_clicks ?? null },
    }
  })
}
