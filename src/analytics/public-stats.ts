import { type Clock, DAY_US, dayOf, hourOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'

/** An account is active when it signed in, called the API or had a link clicked within so many days. */
const ACTIVE_DAYS = 30

export type PublicStats = { totalLinks: number; totalClicks: number; activeUsers: number }

/** The whole instance in three figures. */
export async function publicStats(deps: { db: Db; clock: Clock }): Promise<PublicStats> {
  const { db, clock } = deps
  const sinceUs = clock.nowUs() - ACTIVE_DAYS * DAY_US
  const [links, clicks, users] = await Promise.all([
    db
      .selectFrom('account_link_counts')
      .select((eb) => eb.fn.sum<number | null>('links').as('sum'))
      .executeTakeFirst(),
    db
      .selectFrom('account_totals')
      .select((eb) => eb.fn.sum<number | null>('clicks').as('sum'))
      .executeTakeFirst(),
    db
      .selectFrom('accounts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('email_verified_at', 'is not', null)
      .where((eb) =>
        eb.or([
          eb('last_signed_in_at', '>=', sinceUs),
          eb.exists(
            eb
              .selectFrom('api_usage_days')
              .select('day')
              .whereRef('api_usage_days.account_id', '=', 'accounts.id')
              .where('day', '>=', dayOf(sinceUs)),
          ),
          eb.exists(
            eb
              .selectFrom('account_hours')
              .select('hour')
              .whereRef('account_hours.account_id', '=', 'accounts.id')
              .where('dimension', '=', 'total')
              .where('hour', '>=', hourOf(sinceUs))
              // An hour of bots alone has none.
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
