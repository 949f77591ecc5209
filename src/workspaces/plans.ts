import { DEFAULT_PLAN, isPlan, type Plan } from '../access/plan-names.ts'
import type { CurrentDb } from '../store/handles.ts'

/** Operators assign plans. Limits are per key and hour, and a key can have its own. */
export const PLANS = {
  free: { requestsPerHour: 100 },
  pro: { requestsPerHour: 1_000 },
  business: { requestsPerHour: 10_000 },
  enterprise: { requestsPerHour: 100_000 },
} as const satisfies Record<Plan, { requestsPerHour: number }>

/**
 * No limit, as a number, because the API states one in every response. No key makes this many requests in an hour. Also the
 * highest limit that can be set.
 */
export const UNLIMITED = 1_000_000_000

type Limited = { plan: string; rateLimit: number | null }

/** Requests per hour of each key that has no limit of its own. */
export const hourlyAllowance = ({ plan, rateLimit }: Limited): number =>
  rateLimit ?? planOf(plan).requestsPerHour

/** For output to users: null means no limit. */
export const limitOrNull = (limit: number): number | null => (limit >= UNLIMITED ? null : limit)

/** A plan that this version does not know counts as the smallest. */
export const planOf = (name: string) => PLANS[isPlan(name) ? name : DEFAULT_PLAN]

/** Whether any workspace has a plan other than the default. Until then, the dashboard does not mention plans. */
export async function hasPlans(db: CurrentDb): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('plan', '<>', DEFAULT_PLAN)
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
