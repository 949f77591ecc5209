import { countryName } from '../../analytics/country-name.ts'
import type { RecentClick } from '../../analytics/recent-clicks.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import type { ClickView, LiveTotals } from './types/analytics-types.ts'

/** Counters store '' for unknown values. */
const known = (value: string) => (value === '' ? 'Unknown' : value)

export const clickView = (domains: Pick<Domains, 'hostOf'>, click: RecentClick): ClickView => ({
  id: click.id,
  short_code: click.code,
  domain: click.domainId === null ? null : domains.hostOf(click.domainId),
  title: click.title,
  clicked_at: isoMicroseconds(click.clickedAtUs),
  is_bot: click.isBot,
  country_code: click.country || null,
  country: countryName(click.country),
  device: click.device || 'other',
  browser: known(click.browser),
  operating_system: known(click.os),
  referrer: click.referrer || null,
})

/** A workspace without clicks has no totals. */
export function liveTotals(
  totals: ReadonlyMap<number, { clicks: number; bots: number }>,
  workspaceId: number,
): LiveTotals {
  const { clicks = 0, bots = 0 } = totals.get(workspaceId) ?? {}
  return { total_clicks: clicks, bot_clicks: bots }
}
