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
