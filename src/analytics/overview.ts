import type { Caller } from '../access/caller.ts'
import { type Clock, DAY_US } from '../runtime/clock.ts'
import { linkCounts } from '../links/lists/count-links.ts'
import type { ReadOnlyDb } from '../store/handles.ts'

const TOP_LINKS = 10

type TopLink = { id: number; code: string; title: string; clickCount: number }

export type Overview = {
  totalLinks: number
  activeLinks: number
  /** All time, deleted links included. */
  totalClicks: number
  /** Since midnight UTC. */
  clicksToday: number
  topLinks: TopLink[]
}

/** The overview of a workspace, from counters only. */
export async function overview(
  deps: { db: ReadOnlyDb; clock: Clock },
  { workspaceId }: Caller,
): Promise<Overview> {
  const { db, clock } = deps
  const midnight = Math.floor(clock.nowUs() / DAY_US) * 24
  const [counts, totals, today, topLinks] = await Promise.all([
    linkCounts(db, workspaceId),
    db.selectFrom('account_totals').select('clicks').where('account_id', '=', workspaceId).executeTakeFirst(),
    db
      .selectFrom('account_hours')
      .select((eb) => eb.fn.sum<number | null>('clicks').as('clicks'))
      .where('account_id', '=', workspaceId)
      .where('dimension', '=', 'total')
      .where('hour', '>=', midnight)
      .executeTakeFirst(),
    topLinksOf(db, workspaceId),
  ])
  return {
    totalLinks: counts.links,
    activeLinks: counts.active,
    totalClicks: totals?.clicks ?? 0,
    clicksToday: Number(today?.clicks ?? 0),
    topLinks,
  }
}

function topLinksOf(db: ReadOnlyDb, workspaceId: number): Promise<TopLink[]> {
  return db
    .selectFrom('link_totals')
    .innerJoin('links', 'links.id', 'link_totals.link_id')
    .select(['links.id', 'links.code', 'links.title', 'link_totals.clicks as clickCount'])
    .where('link_totals.account_id', '=', workspaceId)
    .where('links.account_id', '=', workspaceId)
    .where('link_totals.clicks', '>', 0)
    .orderBy('link_totals.clicks', 'desc')
    .orderBy('link_totals.link_id', 'desc')
    .limit(TOP_LINKS)
    .execute()
}
