import { Refusal } from '../../errors/refusal.ts'
import type { LimitResult } from '../../limits/window-limit.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { AppContext } from './app-context.ts'

export type PublicLimitDeps = {
  publicLimit: { count(ip: string): LimitResult }
  metrics: Pick<Metrics, 'rateLimitRefusals'>
}

/** For everything that needs no key. */
export function refuseOverPublicLimit({ publicLimit, metrics }: PublicLimitDeps, context: AppContext): void {
  const { isAllowed, retryAfterSeconds } = publicLimit.count(context.env.ip)
  if (isAllowed) return
  metrics.rateLimitRefusals.network.add()
  throw new Refusal('too_many_requests', 'Too many requests from your network.', { retryAfterSeconds })
}
