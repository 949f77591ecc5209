import { type Clock, dayOf, isoDay } from '../runtime/clock.ts'
import type { AnyDb } from '../store/handles.ts'

const DAYS = 30
const DAYS_OF_WEEK = 7

export type DailyUsage = {
  /** The last 30 UTC days, today last, including days without requests. */
  days: { date: string; requests: number }[]
  lastSevenDays: number
  lastThirtyDays: number
}

export async function dailyUsage(
  deps: { db: AnyDb; clock: Clock },
  workspaceId: number,
): Promise<DailyUsage> {
  const today = dayOf(deps.clock.nowUs())
  const rows = await deps.db
    .selectFrom('api_usage_days')
    .select(['day', 'requests'])
    .where('workspace_id', '=', workspaceId)
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
