import { sql } from 'kysely'
import { type Clock, dayOf, HOUR_US } from '../runtime/clock.ts'
import { nextTurn } from '../runtime/turns.ts'
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

type KeyRequest = { key: LimitedKey; counted: PromiseWithResolvers<HourlyUsage> }

/**
 * Counts requests against their keys' hours: 3,600 s from a key's first counted request, in whole seconds, so that all headers agree.
 * Refused requests do not count and do not extend the hour. Those that arrive in one turn are counted in one transaction, and those of
 * one key by one statement, which decides: the limit is exact. Requests go on before they are stored, so that what they write themselves
 * can share the commit.
 */
export class RequestCounter {
  readonly #deps: { db: RelaxedDb | DurableDb; clock: Clock }
  #arriving: { requests: KeyRequest[]; stored: Promise<void> } | undefined

  constructor(deps: { db: RelaxedDb | DurableDb; clock: Clock }) {
    this.#deps = deps
  }

  async count(key: LimitedKey): Promise<CountedRequest> {
    const { requests, stored } = (this.#arriving ??= this.#begin())
    const usage = Promise.withResolvers<HourlyUsage>()
    requests.push({ key, counted: usage })
    return { usage: await usage.promise, stored }
  }

  #begin() {
    const requests: KeyRequest[] = []
    const writes = this.#countAll(requests)
    writes.catch((error) => requests.forEach(({ counted }) => counted.reject(error)))
    return { requests, stored: writes }
  }

  async #countAll(requests: readonly KeyRequest[]): Promise<void> {
    await nextTurn()
    this.#arriving = undefined
    await transact(this.#deps.db, (tx) => countTogether(tx, requests, this.#deps.clock.nowUs()))
  }
}

async function countTogether(tx: Tx, requests: readonly KeyRequest[], nowUs: number): Promise<void> {
  const byKey = [...Map.groupBy(requests, ({ key }) => key.id)].sort(([one], [other]) => one - other)
  const countByWorkspace = new Map<number, number>()
  for (const [, ofKey] of byKey) {
    const { key } = ofKey.at(-1)!
    const usages = await usagesOf(tx, { key, count: ofKey.length, nowUs })
    const more = usages.filter(({ isAllowed }) => isAllowed).length
    countByWorkspace.set(key.workspaceId, (countByWorkspace.get(key.workspaceId) ?? 0) + more)
    for (const [at, usage] of usages.entries()) ofKey[at]!.counted.resolve(usage)
  }
  const days = [...countByWorkspace].filter(([, count]) => count > 0).sort(([one], [other]) => one - other)
  await writeRows(
    tx,
    USAGE_DAYS,
    days.map(([workspaceId, count]) => [workspaceId, dayOf(nowUs), count]),
  )
}

type Counting = { key: LimitedKey; count: number; nowUs: number }

/** One for each of `count` requests. */
async function usagesOf(tx: Tx, { key, count, nowUs }: Counting): Promise<HourlyUsage[]> {
  const { id, rateLimit: limit } = key
  const second = nowUs - (nowUs % SECOND_US)
  const hour = { id, limit, count, nowUs, second, hourAgo: nowUs - HOUR_US }
  const [row] = count > limit ? [] : await countInHour(tx, hour)
  if (row === undefined) {
    if (count === 1) return [await refused(tx, key, second)]
    // The limit is between them.
    const usages: HourlyUsage[] = []
    for (let at = 0; at < count; at++) usages.push(...(await usagesOf(tx, { key, count: 1, nowUs })))
    return usages
  }
  const { window_requests: used, window_started_at: startedAt } = row
  return Array.from({ length: count }, (_, at) => ({
    isAllowed: true,
    limit,
    used: used - count + 1 + at,
    resetAtUs: startedAt! + HOUR_US,
  }))
}

type InHour = {
  id: number
  limit: number
  count: number
  nowUs: number
  second: number
  hourAgo: number
}

/** No row if the key's hour has not as many requests left. */
const countInHour = prepare((db: Tx, { id, limit, count, nowUs, second, hourAgo }: InHour) => {
  const isOver = sql<boolean>`(window_started_at IS NULL OR window_started_at <= ${hourAgo})`
  return db
    .updateTable('api_keys')
    .set({
      window_requests: sql`CASE WHEN ${isOver} THEN ${count} ELSE window_requests + ${count} END`,
      // An hour that starts in the future was started before the clock was set back.
      window_started_at: sql`CASE WHEN ${isOver} OR window_started_at > ${second} THEN ${second} ELSE window_started_at END`,
      last_used_at: nowUs,
    })
    .where('id', '=', id)
    .where((eb) => eb.or([isOver, eb(sql`window_requests + ${count}`, '<=', limit)]))
    .returning(['window_requests', 'window_started_at'])
})

const USAGE_DAYS: RowInsert = {
  table: 'api_usage_days',
  columns: ['workspace_id', 'day', 'requests'],
  then: 'ON CONFLICT (workspace_id, day) DO UPDATE SET requests = api_usage_days.requests + excluded.requests',
}

async function refused(tx: Tx, { id, rateLimit }: LimitedKey, second: number): Promise<HourlyUsage> {
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
