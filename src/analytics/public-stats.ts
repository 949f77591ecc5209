import { type Clock, DAY_US, dayOf, hourOf } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'

/** An account is active if it signed in, called the API or had a link clicked within this many days. */
const ACTIVE_DAYS = 30

type PublicStats = { totalLinks: number; totalClicks: number; activeUsers: number }

type StatsDeps = { db: ReadOnlyDb; clock: Clock }

/** They are read again when they are older than `ttlMs`. */
export function cachedPublicStats(deps: StatsDeps, ttlMs: number): () => Promise<PublicStats> {
  let latest: { stats: PublicStats; atMs: number } | undefined
  return async () => {
    const nowMs = deps.clock.monotonicMs()
    if (latest === undefined || nowMs - latest.atMs >= ttlMs)
      latest = { stats: await publicStats(deps), atMs: nowMs }
    return latest.stats
  }
}

/** Three numbers about the whole instance. */
async function publicStats(deps: StatsDeps): Promise<PublicStats> {
  const { db, clock } = deps
  const sinceUs = clock.nowUs() - ACTIVE_DAYS * DAY_US
  const [links, clicks, users] = await Promise.all([
    db
      .selectFrom('workspace_link_counts')
      .select((eb) => eb.fn.sum<number | null>('links').as('sum'))
      .executeTakeFirst(),
    db
      .selectFrom('workspace_totals')
      .select((eb) => eb.fn.sum<number | null>('clicks').as('sum'))
      .executeTakeFirst(),
    db
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('email_verified_at', 'is not', null)
      .where((eb) =>
        eb.or([
          eb('last_signed_in_at', '>=', sinceUs),
          eb.exists(
            eb
              .selectFrom('members')
              .innerJoin('api_usage_days', 'api_usage_days.workspace_id', 'members.workspace_id')
              .select('day')
              .whereRef('members.user_id', '=', 'users.id')
              .where('day', '>=', dayOf(sinceUs)),
          ),
          eb.exists(
            eb
              .selectFrom('members')
              .innerJoin('workspace_hours', 'workspace_hours.workspace_id', 'members.workspace_id')
              .select('hour')
              .whereRef('members.user_id', '=', 'users.id')
              .where('dimension', '=', 'total')
              .where('hour', '>=', hourOf(sinceUs))
              // Hours with bots only have no clicks.
              .where('clicks', '>', 0),
          ),
        ]),
      )
      .executeTakeFirstOrThrow(),
  ])
  return {
    totalLinks: Number(links?.sum ?? 0),
    totalClicks: Number(clicks?.sum ?? 0),
    activeUsers: Number(users.count),
  }
}
