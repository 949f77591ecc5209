import type { ClickOwner } from '../../analytics/click-counts.ts'
import {
  compareRange,
  type Comparison,
  type LifetimeRange,
  lifetimeRange,
} from '../../analytics/lifetime-range.ts'
import type { Caller } from '../../access/caller.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReadDb } from '../../store/handles.ts'
import { rangeParameters } from '../../analytics/range-parameters.ts'
import { readOwner } from '../api/endpoints/analytics-endpoints.ts'
import { type Query, readParameters } from '../requests/query.ts'

/** `sinceUs`: when the link or workspace was created. */
export type LifetimeQuery = {
  owner: ClickOwner
  nowUs: number
  sinceUs: number
  range: LifetimeRange
  comparison: Comparison | null
  limit: number
}

/** As in the API, but limited to the time since the link or workspace was created. */
export async function readLifetimeQuery(
  { readDb, domains, clock }: { readDb: ReadDb; domains: Domains; clock: Clock },
  caller: Caller,
  query: Query,
): Promise<LifetimeQuery> {
  const moments = { nowUs: clock.nowUs(), ...(await readOwner({ readDb, domains }, caller, query)) }
  const { limit, ...parameters } = readParameters(rangeParameters, query)
  const range = lifetimeRange(parameters, moments)
  return { ...moments, limit, range, comparison: compareRange(range, parameters, moments) }
}
