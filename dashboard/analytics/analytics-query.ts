import type { AnalyticsQuery } from '../../src/http/endpoints/browser-types.ts'
import type { LinkAddress } from '../links/link-address.ts'
import { once } from '../once.ts'
import type { Range } from './range.ts'

// What analytics are requested with: small, because the first of these requests is sent before React is loaded.

/** Of a page whose URL has no other one. */
export const PLAIN_RANGE: Range = {
  period: '30d',
  from: '',
  to: '',
  granularity: 'auto',
  compare: 'previous',
}

/** Of one link, or of all. */
export const clicksQuery = (range: Range, link?: LinkAddress): AnalyticsQuery => ({
  ...rangeQuery(range),
  ...(link && { short_code: [link.short_code], domain: [link.domain] }),
})

/** Days in the browser's time zone. */
export function rangeQuery({ period, from, to, granularity, compare }: Range): AnalyticsQuery {
  return {
    timezone: ownTimezone(),
    ...(period === 'own' ? { from, to } : { period }),
    ...(granularity === 'auto' ? {} : { granularity }),
    ...(compare === 'off' ? {} : { compare }),
  }
}

// Temporal first: the first format of a page takes a slow phone 100 ms, and the first requests would wait for it.
export const ownTimezone = once(
  () => Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
)

/** Not in all browsers. */
const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } }

/** Countries, referrers and the like: the server's maximum. */
const VALUES_MAX = 100

export const withAllValues = <Query>(query: Query) => ({ ...query, limit: VALUES_MAX })
