import type { z } from '@hono/zod-openapi'
import { countryName } from '../../../analytics/country-name.ts'
import type { BreakdownRow, Dimension, SeriesPoint } from '../../../analytics/click-counts.ts'
import type { Overview } from '../../../analytics/overview.ts'
import type { countrySchema, deviceSchema, overviewSchema, pointSchema } from './analytics-schemas.ts'

type Device = z.infer<typeof deviceSchema>['device']

/** Counters store '' for unknown values. */
const known = (value: string) => (value === '' ? 'Unknown' : value)

export const pointView = ({ label, clicks, visitors }: SeriesPoint): z.infer<typeof pointSchema> => ({
  date: label,
  clicks,
  unique_visitors: visitors,
})

export const countryView = ({ value, ...counts }: BreakdownRow): z.infer<typeof countrySchema> => ({
  country_code: value === '' ? null : value,
  country: countryName(value),
  ...counts,
})

export const deviceView = ({ value, ...counts }: BreakdownRow) => ({
  // Clicks only have the devices of the schema.
  device: (value || 'other') as Device,
  ...counts,
})
export const browserView = ({ value, ...counts }: BreakdownRow) => ({ browser: known(value), ...counts })
const systemView = ({ value, ...counts }: BreakdownRow) => ({
  operating_system: known(value),
  ...counts,
})

/** null: the request had no referrer. */
const referrerView = ({ value, ...counts }: BreakdownRow) => ({
  referrer: value === '' ? null : value,
  ...counts,
})

export const breakdownViews = (by: Record<Dimension, readonly BreakdownRow[]>) => ({
  countries: by.country.map(countryView),
  devices: by.device.map(deviceView),
  browsers: by.browser.map(browserView),
  operating_systems: by.os.map(systemView),
  referrers: by.referrer.map(referrerView),
})

export const overviewView = (found: Overview): z.infer<typeof overviewSchema> => ({
  overview: {
    total_links: found.totalLinks,
    total_clicks: found.totalClicks,
    active_links: found.activeLinks,
    clicks_today: found.clicksToday,
  },
  top_links: found.topLinks.map(({ id, code, title, clickCount }) => ({
    id,
    short_code: code,
    title,
    click_count: clickCount,
  })),
})
