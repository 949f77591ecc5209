import { countryName } from '../../analytics/country-name.ts'
import type { BreakdownRow, Dimension, SeriesPoint } from '../../analytics/click-counts.ts'
import type { Overview } from '../../analytics/overview.ts'

/** Counters hold '' for what is unknown; answers say so. */
const known = (value: string) => (value === '' ? 'Unknown' : value)

export const pointView = ({ label, clicks, visitors }: SeriesPoint) => ({
  date: label,
  clicks,
  unique_visitors: visitors,
})

export const countryView = ({ value, ...counts }: BreakdownRow) => ({
  country_code: value === '' ? null : value,
  country: countryName(value),
  ...counts,
})

export const deviceView = ({ value, ...counts }: BreakdownRow) => ({
  device: value === '' ? 'other' : value,
  ...counts,
})
export const browserView = ({ value, ...counts }: BreakdownRow) => ({ browser: known(value), ...counts })
export const systemView = ({ value, ...counts }: BreakdownRow) => ({
  operating_system: known(value),
  ...counts,
})

/** null: opened without a referrer, or the browser did not tell. */
export const referrerView = ({ value, ...counts }: BreakdownRow) => ({
  referrer: value === '' ? null : value,
  ...counts,
})

/** Every breakdown there is. */
export const breakdownViews = (by: Record<Dimension, readonly BreakdownRow[]>) => ({
  countries: by.country.map(countryView),
  devices: by.device.map(deviceView),
  browsers: by.browser.map(browserView),
  operating_systems: by.os.map(systemView),
  referrers: by.referrer.map(referrerView),
})

export const overviewView = (found: Overview) => ({
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
