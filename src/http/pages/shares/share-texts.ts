import { countryName } from '../../../analytics/country-name.ts'
import type { Granularity } from '../../../analytics/time-range.ts'
import { changePercent, wholeText } from '../../../runtime/number-text.ts'
import { once } from '../../../runtime/make-once.ts'
import type { Panel, ShareKind } from '../../../shares/panels.ts'
import type { ShareRange } from '../../../shares/shared-report.ts'

const compact = once(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }))

/** `1.2K` */
export const compactText = (count: number): string => compact().format(count)

export const changeText = ({ now, before }: { now: number; before: number }): string =>
  before === 0 ? 'None before' : `${changePercent(now / before - 1)} from ${wholeText(before)}`

const dayFormat = once(
  () => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
const DATE_FORMATS: Record<Granularity, () => Intl.DateTimeFormat> = {
  hour: once(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', timeZone: 'UTC' })),
  day: dayFormat,
  week: dayFormat,
  month: once(() => new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })),
}

/** `label`: of a point in UTC, as reports have it. */
export const dateText = (label: string, granularity: Granularity): string =>
  DATE_FORMATS[granularity]().format(Date.parse(granularity === 'month' ? `${label}-01` : label))

export const RUNNING: Record<Granularity, string> = {
  hour: 'This hour so far',
  day: 'Today so far',
  week: 'This week so far',
  month: 'This month so far',
}

export const RANGE_NAMES: Record<ShareRange, { short: string; long: string }> = {
  '7d': { short: '7d', long: '7 days' },
  '30d': { short: '30d', long: '30 days' },
  '90d': { short: '90d', long: '90 days' },
  all: { short: 'All', long: 'All time' },
}

export const TITLES: Record<Exclude<Panel, 'clicks' | 'devices' | 'destination'>, string> = {
  countries: 'Countries',
  sources: 'Sources',
  via: 'How they came',
  links: 'Top links',
}

const DEVICES: Record<string, string> = { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet' }
const VIAS: Record<string, string> = { link: 'Short URL', qr: 'QR code', preview: 'Preview page' }

/** What a row of a breakdown is called. */
export const NAME_OF = {
  country: (code: string) => countryName(code),
  device: (device: string) => DEVICES[device] ?? 'Other',
  browser: (browser: string) => browser || 'Unknown',
  via: (via: string) => VIAS[via] ?? via,
  source: (source: string) => source || 'Direct or unknown',
}

export const KIND_NAMES: Record<Exclude<ShareKind, 'link'>, string> = {
  tag: 'Links with the tag',
  folder: 'Links in the folder',
}
