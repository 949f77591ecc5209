import { sql } from 'kysely'
import { type Clock, dayOf, HOUR_US } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import type { ApiKey } from './api-key.ts'

const SECOND_US = 1_000_000

/** Where a key stands in its hour, after this request. */
export type HourlyUsage = { isAllowed: boolean; limit: number; used: number; resetAtUs: number }

/**
 * Counts a request against its key's hour: 3600 s from the key's first counted request, on whole seconds, so that every
 * header names the same moment. A refused request neither counts nor extends the hour. One statement decides, so the
 * limit is exact whoever else is counting.
 */
export async function countRequest(
  deps: { quickDb: Db; clock: Clock },
  key: Pick<ApiKey, 'id' | 'accountId' | 'rateLimit'>,
): Promise<HourlyUsage> {
  const now = deps.clock.nowUs()
  const second = now - (now % SECOND_US)
  const isOver = sql<boolean>`(window_started_at IS NULL OR window_started_at <= ${now - HOUR_US})`
  return deps.quickDb.transaction().execute(async (tx) => {
    const counted = await tx
      .updateTable('api_keys')
      .set({
        window_requests: sql`CASE WHEN ${isOver} THEN 1 ELSE window_requests + 1 END`,
        // An hour that begins in the future was opened before the clock was set back.
        window_started_at: sql`CASE WHEN ${isOver} OR window_started_at > ${second} THEN ${second} ELSE window_started_at END`,
        last_used_at: now,
      })
      .where('id', '=', key.id)
      .where((eb) => eb.or([isOver, eb('window_requests', '<', key.rateLimit)]))
      .returning(['window_requests', 'window_started_at'])
      .executeTakeFirst()
    if (counted === undefined) return refused(tx, key, second)
    await tx
      .insertInto('api_usage_days')
      .values({ account_id: key.accountId, day: dayOf(now), requests: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'day'])
          .doUpdateSet((eb) => ({ requests: eb('api_usage_days.requests', '+', 1) })),
      )
      .execute()
    return {
      isAllowed: true,
      limit: key.rateLimit,
      used: counted.window_requests,
      resetAtUs: counted.window_started_at! + HOUR_US,
    }
  })
}

async function refused(
  tx: Db,
  { id, rateLimit }: Pick<ApiKey, 'id' | 'rateLimit'>,
  second: number,
): Promise<HourlyUsage> {
  await tx
    .updateTable('api_keys')
    .set({ window_started_at: second })
    .where('id', '=', id)
    .where('window_started_at', '>', second)
    .execute()
  const row = await tx
    .selectFrom('api_keys')
    .select(['window_requests', 'window_started_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    isAllowed: false,
    limit: rateLimit,
    used: row.window_requests,
    resetAtUs: row.window_started_at! + HOUR_US,
  }
}
