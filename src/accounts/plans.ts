/** What a plan allows; the operator assigns it. Limits are per key and hour, and a key may be given its own. */
export const PLANS = {
  free: { requestsPerHour: 100 },
  pro: { requestsPerHour: 1_000 },
  business: { requestsPerHour: 10_000 },
  enterprise: { requestsPerHour: 100_000 },
} as const

export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

export const isPlan = (text: string): text is Plan => Object.hasOwn(PLANS, text)

/** Requests per hour that each key of an account may make at most. */
export const hourlyAllowance = ({ plan, rateLimit }: { plan: string; rateLimit: number | null }): number =>
  rateLimit ?? planOf(plan).requestsPerHour

/** What the plan allows; one that this version does not know counts as the smallest. */
export const planOf = (name: string) => PLANS[isPlan(name) ? name : 'free']
