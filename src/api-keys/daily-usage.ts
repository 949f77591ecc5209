import { type Clock, dayOf, isoDay } from '../clock.ts'
import type { Db } from '../store/open-store.ts'

const DAYS = 30
const DAYS_OF_WEEK = 7

export type DailyUsage = {
  /** The last 30 UTC days, today last, days without a request included. */
  days: { date: string; requests: number }[]
  lastSevenDays: number
  lastThirtyDays: number
}

/** Counted requests of all keys of an account. */
export async function dailyUsage(deps: { db: Db; clock: Clock }, accountId: number): Promise<DailyUsage> {
  const today = dayOf(deps.clock.nowUs())
  const rows = await deps.db
    .selectFrom('api_usage_days')
    .select(['day', 'requests'])
    .where('account_id', '=', accountId)
    .where('day', '>', today - DAYS)
    .execute()
  const requestsOf = new Map(rows.map(({ day, requests }) => [day, requests]))
  const days = Array.from({ length: DAYS }, (_, i) => {
    const day = today - DAYS + 1 + i
    return { date: isoDay(day), requests: requestsOf.get(day) ?? 0 }
  })
  const sum = (some: typeof days) => some.reduce((total, { requests }) => total + requests, 0)
  return { days, lastSevenDays: sum(days.slice(-DAYS_OF_WEEK)), lastThirtyDays: sum(days) }
}
