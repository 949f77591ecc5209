import { countryName } from '../../analytics/country-name.ts'
import type { BreakdownRow, SeriesPoint } from '../../analytics/click-counts.ts'

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
