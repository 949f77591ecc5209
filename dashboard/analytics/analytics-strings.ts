/** The English texts of the analytics of one link and of all. */
export const analyticsStrings = {
  switchOf: (code: string) => `Enable ${code}`,
  back: 'Links',
  clicks: 'Clicks',
  visitors: 'Unique visitors',
  visitorsHint: 'Each visitor is counted once a day, without cookies. Longer ranges add up the days.',
  today: 'Today so far',
  bots: 'Bots',
  botsHint: 'Crawlers and link previews that identify themselves. No other number includes them.',
  last: (when: string) => `Last click ${when}`,
  never: 'Not clicked yet',
  liveStates: { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting' },
  standing: {
    blocked: 'The operator has blocked the destination of this link. Visitors see a notice instead.',
    disabled: 'This link is disabled. Visitors see a notice instead.',
    scheduled: (when: string) => `This link starts on ${when}.`,
    expired: (when: string) => `This link expired on ${when}.`,
    limitReached: 'This link has reached its click limit.',
    notice: 'Visitors see a notice.',
    fallback: 'Visitors go to the fallback URL.',
    actions: { blocked: 'Edit', scheduled: 'Edit', expired: 'Extend', limit_reached: 'Raise limit' },
  },
  chart: 'Clicks over time',
  countries: 'Countries',
  referrers: 'Referrers',
  direct: 'Direct or unknown',
  browsers: 'Browsers',
  systems: 'Systems',
  devices: 'Devices',
  technology: 'Technology',
  languages: 'Languages',
  sources: 'Sources',
  sourcesHint: 'Sites with all their hosts, and apps.',
  via: 'How they came',
  ways: { link: 'Short URL', qr: 'QR code', preview: 'Preview page' } as Record<string, string>,
  variants: 'Rules and variants',
  variant: 'Rule',
  noVariant: 'No rule matched',
  fallback: 'Fallback URL',
  rule: (number: string) => `Rule ${number}`,
  goneRule: 'A rule that is gone',
  reached: (reached: string, wanted: string) => `${reached} of ${wanted}`,
  export: 'Export',
  exportAs: { csv: 'Single clicks as CSV', ndjson: 'Single clicks as NDJSON' },
  filters: 'Filters',
  filterBy: (label: string) => `Filter by ${label}`,
  clearFilters: 'Clear',
  matching: (clicks: string, all: string) => `${clicks} of ${all} clicks match`,
  manyValues: (count: string) => `${count} values`,
  noMatch: 'No clicks match these filters',
  noMatchHint: 'There are clicks in this range that other filters find.',
  clearAllFilters: 'Clear filters',
  botsUnknown: 'Of bots nothing is known that these filters could find. Clear them to see their number.',
  device: { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet', other: 'Other' } as Record<
    string,
    string
  >,
  none: 'No clicks in this range.',
  emptyTitle: 'No clicks yet',
  empty: 'Open the short URL once. The click appears here within two seconds.',
  open: 'Open short URL',
  showAll: (count: string) => `Show all ${count}`,
  showFewer: 'Show fewer',
  kind: 'Kind',
  name: 'Name',
  country: 'Country',
  referrer: 'Referrer',
  source: 'Source',
  browser: 'Browser',
  system: 'System',
  deviceKind: 'Device',
  language: 'Language',
  unknown: 'Unknown',
  attribution: 'Country data by',
  what: 'Analytics',
}

/** The English texts of the choice of a time range. */
export const rangeStrings = {
  label: 'Time range',
  granularity: 'Interval',
  periods: {
    '24h': '24h',
    '7d': '7d',
    '30d': '30d',
    '90d': '90d',
    '12m': '12m',
    all: 'All',
    own: 'Custom',
  },
  longPeriods: {
    '24h': '24 hours',
    '7d': '7 days',
    '30d': '30 days',
    '90d': '90 days',
    '12m': '12 months',
    all: 'All time',
    own: 'Custom',
  },
  granularities: { auto: 'Automatic', hour: 'Hourly', day: 'Daily', month: 'Monthly' },
  automatic: { hour: 'Automatic (hourly)', day: 'Automatic (daily)', month: 'Automatic (monthly)' },
  impossible: (granularity: string) => `${granularity} (shorter ranges only)`,
  from: 'From',
  to: 'To',
  apply: 'Apply',
}

/** The English texts of comparisons with the period before. */
export const changeStrings = {
  new: 'New',
  newHint: 'There is no full period before this one to compare with.',
  noneBefore: 'There is nothing in the previous period to compare with.',
  none: 'No change',
  from: (before: string) => `from ${before}`,
  hints: {
    hour: (count: string) =>
      count === '1'
        ? 'Compares 1 full hour with the previous period.'
        : `Compares the ${count} full hours with the previous period.`,
    day: (count: string) =>
      count === '1'
        ? 'Compares 1 full day with the previous period.'
        : `Compares the ${count} full days with the previous period.`,
    month: (count: string) =>
      count === '1'
        ? 'Compares 1 full month with the previous period.'
        : `Compares the ${count} full months with the previous period.`,
  },
}

/** The English texts of the overview page. */
export const overviewStrings = {
  title: 'Overview',
  totals: (clicks: string, links: string, active: string) =>
    `${clicks === '1' ? '1 click' : `${clicks} clicks`} so far · ${links === '1' ? '1 link' : `${links} links`}, ${active} active`,
  top: 'Top links',
  topEmpty: 'No clicks in this range.',
  recent: 'Live clicks',
  recentEmpty: 'Clicks appear here while this page is open.',
  emptyTitle: 'No clicks yet',
  empty: 'Create a link and share it. Its clicks, countries and referrers appear here.',
  bot: 'Bot',
  gone: 'Deleted link',
}
