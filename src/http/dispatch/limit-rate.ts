import type { PresentedKey } from '../../api-keys/find-key.ts'
import type { HourlyUsage, RequestCounter } from '../../api-keys/hourly-limit.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'

const WINDOW_SECONDS = 3600
const SECOND_US = 1_000_000

/** On every response to a counted request, except for those that say nothing about it: 500 and 503. */
export const USAGE_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const

type LimitedRequest = Awaited<ReturnType<RequestCounter['count']>> & {
  headers: Record<(typeof USAGE_HEADERS)[number], string>
}

/** Counts the request. The headers show the key's limit in both conventions, `X-RateLimit-*` and `RateLimit`. */
export async function limitRate(
  { requests, clock }: { requests: RequestCounter; clock: Clock },
  key: PresentedKey,
): Promise<LimitedRequest> {
  const { usage, stored } = await requests.count(key)
  const seconds = secondsUntil(usage.resetAtUs, clock.nowUs())
  const remaining = Math.max(0, usage.limit - usage.used)
  return {
    usage,
    stored,
    headers: {
      'X-RateLimit-Limit': String(usage.limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(usage.resetAtUs / SECOND_US),
      'RateLimit-Policy': `"hour";q=${usage.limit};w=${WINDOW_SECONDS}`,
      RateLimit: `"hour";r=${remaining};t=${seconds}`,
    },
  }
}

export function refuseOverLimit({ isAllowed, resetAtUs, limit }: HourlyUsage, nowUs: number): void {
  if (isAllowed) return
  throw new Refusal('rate_limited', `You have used all ${limit} requests of this hour.`, {
    retryAfterSeconds: secondsUntil(resetAtUs, nowUs),
  })
}

const secondsUntil = (us: number, nowUs: number) => Math.max(0, Math.ceil((us - nowUs) / SECOND_US))
