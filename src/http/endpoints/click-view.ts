import { z } from '@hono/zod-openapi'
import type { MemberRole } from '../../access/roles-and-scopes.ts'
import type { RecentClick } from '../../analytics/recent-clicks.ts'
import { REPORT_DIMENSIONS } from '../../analytics/report-dimensions.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { timestamp } from './schemas.ts'

const { country, city, device, browser, os, referrer, via } = REPORT_DIMENSIONS

/** A click of the last minutes, by a person. */
export const clickSchema = z.strictObject({
  id: z.int(),
  short_code: z.string().nullable().openapi({ description: 'null if the link was deleted.' }),
  domain: z.string().nullable(),
  title: z.string().nullable(),
  clicked_at: timestamp(),
  ...country.row,
  ...city.row,
  ...device.row,
  ...browser.row,
  ...os.row,
  ...referrer.row,
  ...via.row,
})
export type ClickView = z.infer<typeof clickSchema>

export const clickView = (domains: Pick<Domains, 'hostOf'>, click: RecentClick): ClickView => ({
  id: click.id,
  short_code: click.code,
  domain: click.domainId === null ? null : domains.hostOf(click.domainId),
  title: click.title,
  clicked_at: isoMicroseconds(click.clickedAtUs),
  ...country.view(click.country),
  ...city.view(click.city),
  ...device.view(click.device),
  ...browser.view(click.browser),
  ...os.view(click.os),
  ...referrer.view(click.referrer),
  ...via.view(click.via),
})

/** All clicks of a workspace. */
export const totalsSchema = z
  .strictObject({ total_clicks: z.int().min(0), bot_clicks: z.int().min(0) })
  .openapi({
    description: 'All clicks of the workspace, of people and of bots, as they were before the list was read.',
    example: { total_clicks: 1284, bot_clicks: 97 },
  })
export type LiveTotals = z.infer<typeof totalsSchema>

/** A workspace without clicks has no totals. */
export function liveTotals(
  totals: ReadonlyMap<number, { clicks: number; bots: number }>,
  workspaceId: number,
): LiveTotals {
  const { clicks = 0, bots = 0 } = totals.get(workspaceId) ?? {}
  return { total_clicks: clicks, bot_clicks: bots }
}

/** What GET /live sends: `event: clicks` with the first, `event: totals` with LiveTotals, `event: session` with the second. */
export type LiveClicks = { clicks: ClickView[] }

/** When the role of the user in the workspace has changed, or an import on the server has begun or ended. Both are in the session. */
export type LiveSession = { role: MemberRole; running_import: number | null }
