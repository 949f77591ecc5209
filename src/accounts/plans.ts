import type { Db } from '../store/open-store.ts'

/** What a plan allows; the operator assigns it. Limits are per key and hour, and a key may be given its own. */
export const PLANS = {
  free: { requestsPerHour: 100 },
  pro: { requestsPerHour: 1_000 },
  business: { requestsPerHour: 10_000 },
  enterprise: { requestsPerHour: 100_000 },
} as const

export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as Plan[]
/** The plan of every account that nobody has put on another one. */
export const DEFAULT_PLAN: Plan = 'free'

/**
 * No limit, as a number: the API states one in every answer, and no key makes this many requests in an hour. It is also
 * the highest limit that can be set.
 */
export const UNLIMITED = 1_000_000_000

export const isPlan = (text: string): text is Plan => Object.hasOwn(PLANS, text)

type Limited = { plan: string; role: string; rateLimit: number | null }

/** Requests per hour that each key of an account may make at most. An operator limits others, not themselves. */
export function hourlyAllowance({ plan, role, rateLimit }: Limited): number {
  if (rateLimit !== null) return rateLimit
  return role === 'admin' && plan === DEFAULT_PLAN ? UNLIMITED : planOf(plan).requestsPerHour
}

/** A limit for people to read; null: there is none. */
export const limitOrNull = (limit: number): number | null => (limit >= UNLIMITED ? null : limit)

/** What the plan allows; one that this version does not know counts as the smallest. */
export const planOf = (name: string) => PLANS[isPlan(name) ? name : DEFAULT_PLAN]

/** Whether any account was put on a plan. Until then nobody needs to hear of plans. */
export async function hasPlans(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('plan', '<>', DEFAULT_PLAN)
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
