/** The English texts of the analytics of one link and of all. */
export const analyticsStrings = {
  switchOf: (code: string) => `Enable ${code}`,
  back: 'Links',
  draw: (measure: string) => `Show ${measure} in the chart`,
  qrHint: 'Visits by a QR code that counts its scans separately. They are clicks, too.',
  visitorsHint: 'Each visitor is counted once a day, without cookies. Longer ranges add up the days.',
  today: 'Today so far',
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
  via: 'How they came',
  alias: 'Alias',
  aliases: 'Aliases',
  ways: { link: 'Short URL', qr: 'QR code', preview: 'Preview page' } as Record<string, string>,
  linkGroups: {
    tag: { label: 'Tag', none: 'No tag' },
    folder: { label: 'Folder', none: 'No folder' },
    domain: { label: 'Domain', none: 'No domain' },
    utm_source: { label: 'UTM source', none: 'No source' },
    utm_medium: { label: 'Medium', none: 'No medium' },
    utm_campaign: { label: 'Campaign', none: 'No campaign' },
    utm_term: { label: 'Term', none: 'No term' },
    utm_content: { label: 'Content', none: 'No content' },
  },
  bot: 'Bot',
  botsAndPreviews: 'Bots and previews',
  botsNote: 'In no other figure but that of bots. They do not use up a click limit.',
  otherBots: 'Other programs',
  campaigns: 'Campaigns',
  variants: 'Rules and variants',
  variant: 'Rule',
  noVariant: 'No rule matched',
  fallback: 'Fallback URL',
  rule: (number: string) => `Rule ${number}`,
  goneRule: 'A rule that is gone',
  reached: (reached: string, wanted: string, isByChance?: boolean) =>
    `${reached} of ${wanted}${isByChance === undefined ? '' : isByChance ? ', by chance' : ', not by chance'}`,
  export: 'Export',
  exportPanels: 'All panels as CSV',
  exportAs: {
    csv: 'Single clicks as CSV',
    ndjson: 'Single clicks as NDJSON',
    parquet: 'Single clicks as Parquet',
  },
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
  search: 'Search',
  noRow: (text: string) => `No row matches “${text}”.`,
  sort: 'Sort',
  sorts: { clicks: 'Most clicks', name: 'By name' },
  kind: 'Kind',
  name: 'Name',
  country: 'Country',
  region: 'Region',
  regions: 'Regions',
  city: 'City',
  cities: 'Cities',
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

/** The English texts of the clicks that other programs had counted. */
export const importedStrings = {
  ofThese: (clicks: string, imported: string) => `${clicks}, of these ${imported} imported`,
  note: (imported: string) => `of these, ${imported} imported`,
  undated: (clicks: string) =>
    clicks === '1'
      ? '1 imported click has no day, so the chart does not show it.'
      : `${clicks} imported clicks have no day, so the chart does not show them.`,
  leftOut: (clicks: string) =>
    clicks === '1'
      ? '1 imported click is left out: these filters cannot reach it.'
      : `${clicks} imported clicks are left out: these filters cannot reach them.`,
}

/** The English texts of the choice of a time range. */
export const rangeStrings = {
  label: 'Time range',
  granularity: 'Interval',
  compare: 'Comparison',
  comparisons: {
    previous: 'Compared with previous period',
    year: 'Compared with last year',
    off: 'No comparison',
  },
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
  granularities: { auto: 'Automatic', hour: 'Hourly', day: 'Daily', week: 'Weekly', month: 'Monthly' },
  automatic: {
    hour: 'Automatic (hourly)',
    day: 'Automatic (daily)',
    week: 'Automatic (weekly)',
    month: 'Automatic (monthly)',
  },
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
  /** "Compares the 29 full days with the previous period." */
  hint: (steps: string, compare: 'previous' | 'year') =>
    `Compares ${steps} with ${compare === 'year' ? 'the same time one year before' : 'the previous period'}.`,
  steps: {
    hour: (count: string) => (count === '1' ? '1 full hour' : `the ${count} full hours`),
    day: (count: string) => (count === '1' ? '1 full day' : `the ${count} full days`),
    week: (count: string) => (count === '1' ? '1 full week' : `the ${count} full weeks`),
    month: (count: string) => (count === '1' ? '1 full month' : `the ${count} full months`),
  },
}

/** The English texts of the overview page. */
export const overviewStrings = {
  title: 'Overview',
  totals: (clicks: string, links: string, active: string) =>
    `${clicks === '1' ? '1 click' : `${clicks} clicks`} so far · ${links === '1' ? '1 link' : `${links} links`}, ${active} active`,
  needAttention: (count: string) => (count === '1' ? '1 needs attention' : `${count} need attention`),
  top: 'Top links',
  topTabs: { links: 'Links', tag: 'Tags', folder: 'Folders', domain: 'Domains' },
  topEmpty: 'No clicks in this range.',
  emptyTitle: 'No clicks yet',
  empty: 'Create a link and share it. Its clicks, countries and referrers appear here.',
}

/** The English texts of the clicks of the last minutes. */
export const liveStrings = {
  title: 'Live clicks',
  none: 'Clicks appear here while this page is open.',
  gone: 'Deleted link',
  pause: 'Pause',
  resume: 'Resume',
  lastMinute: (count: string) => `${count} in the last minute`,
  arrived: (count: string) => (count === '1' ? '1 new click' : `${count} new clicks`),
}
