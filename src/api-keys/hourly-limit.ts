import { sql } from 'kysely'
import { type Clock, dayOf, HOUR_US } from '../runtime/clock.ts'
import type { DurableDb, RelaxedDb, Tx } from '../store/handles.ts'
import { prepare } from '../store/sqlite/prepare.ts'
import { type RowInsert, writeRows } from '../store/engine-sql.ts'
import { transact } from '../store/transact.ts'
import type { ApiKey } from './api-key.ts'

const SECOND_US = 1_000_000

/** Includes this request. */
export type HourlyUsage = { isAllowed: boolean; limit: number; used: number; resetAtUs: number }

/** `stored`: to be waited for before the request is answered. */
type CountedRequest = { usage: HourlyUsage; stored: Promise<void> }

type LimitedKey = Pick<ApiKey, 'id' | 'workspaceId' | 'rateLimit'>

/**
 * Counts a request against its key's hour: 3,600 s from the key's first counted request, in whole seconds, so that all headers agree.
 * Refused requests do not count and do not extend the hour. One statement decides, so the limit is exact under concurrency. The
 * request goes on before it is stored, so that what it writes itself can share the commit.
 */
export async function countRequest(
  { db, clock }: { db: RelaxedDb | DurableDb; clock: Clock },
  key: LimitedKey,
): Promise<CountedRequest> {
  const counted = Promise.withResolvers<HourlyUsage>()
  const stored = transact(db, async (tx) => counted.resolve(await usageOf(tx, key, clock.nowUs())))
  stored.catch(counted.reject)
  return { usage: await counted.promise, stored }
}

async function usageOf(tx: Tx, key: LimitedKey, now: number): Promise<HourlyUsage> {
  const second = now - (now % SECOND_US)
  const { id, rateLimit: limit } = key
  const [counted] = await countInHour(tx, { id, limit, now, second, hourAgo: now - HOUR_US })
  if (counted === undefined) return refused(tx, key, second)
  await writeRows(tx, USAGE_DAYS, [[key.workspaceId, dayOf(now), 1]])
  const { window_requests: used, window_started_at: startedAt } = counted
  return { isAllowed: true, limit, used, resetAtUs: startedAt! + HOUR_US }
}

type InHour = { id: number; limit: number; now: number; second: number; hourAgo: number }

/** No row if the key has used up its hour. */
const countInHour = prepare((db: Tx, { id, limit, now, second, hourAgo }: InHour) => {
  const isOver = sql<boolean>`(window_started_at IS NULL OR window_started_at <= ${hourAgo})`
  return db
    .updateTable('api_keys')
    .set({
      window_requests: sql`CASE WHEN ${isOver} THEN 1 ELSE window_requests + 1 END`,
      // An hour that starts in the future was started before the clock was set back.
      window_started_at: sql`CASE WHEN ${isOver} OR window_started_at > ${second} THEN ${second} ELSE window_started_at END`,
      last_used_at: now,
    })
    .where('id', '=', id)
    .where((eb) => eb.or([isOver, eb('window_requests', '<', limit)]))
    .returning(['window_requests', 'window_started_at'])
})

const USAGE_DAYS: RowInsert = {
  table: 'api_usage_days',
  columns: ['account_id', 'day', 'requests'],
  then: 'ON CONFLICT (account_id, day) DO UPDATE SET requests = api_usage_days.requests + excluded.requests',
}

async function refused(
  tx: Tx,
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
