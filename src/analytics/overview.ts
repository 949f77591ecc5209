import { shownCode } from '../links/shown-code.ts'
import type { Caller } from '../access/caller.ts'
import { type Clock, DAY_US } from '../runtime/clock.ts'
import { countActive } from '../links/lists/count-listed.ts'
import { linkCounts } from '../links/lists/count-links.ts'
import type { ReadOnlyDb } from '../store/handles.ts'

const TOP_LINKS = 10

type TopLink = { id: number; code: string; title: string; clickCount: number }

export type Overview = {
  totalLinks: number
  /** That lead visitors to their destination now. */
  activeLinks: number
  /** All time, deleted links included. */
  totalClicks: number
  /** Since midnight UTC. */
  clicksToday: number
  topLinks: TopLink[]
}

/** The overview of a workspace, from counters only. */
export async function overview(deps: { db: ReadOnlyDb; clock: Clock }, caller: Caller): Promise<Overview> {
  const { db, clock } = deps
  const { workspaceId } = caller
  const midnight = Math.floor(clock.nowUs() / DAY_US) * 24
  const [links, totals, today, topLinks] = await Promise.all([
    countedLinks(deps, caller),
    db
      .selectFrom('workspace_totals')
      .select('clicks')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst(),
    db
      .selectFrom('workspace_hours')
      .select((eb) => eb.fn.sum<number | null>('clicks').as('clicks'))
      .where('workspace_id', '=', workspaceId)
      .where('dimension', '=', 'total')
      .where('hour', '>=', midnight)
      .executeTakeFirst(),
    topLinksOf(db, workspaceId),
  ])
  return {
    ...links,
    totalClicks: totals?.clicks ?? 0,
    clicksToday: Number(today?.clicks ?? 0),
    topLinks,
  }
}

async function countedLinks(
  { db, clock }: { db: ReadOnlyDb; clock: Clock },
  caller: Caller,
): Promise<Pick<Overview, 'totalLinks' | 'activeLinks'>> {
  const counts = await linkCounts(db, caller.workspaceId)
  const activeLinks = await countActive({ db, nowUs: clock.nowUs() }, caller, counts)
  return { totalLinks: counts.links, activeLinks }
}

function topLinksOf(db: ReadOnlyDb, workspaceId: number): Promise<TopLink[]> {
  return db
    .selectFrom('link_totals')
    .innerJoin('links', 'links.id', 'link_totals.link_id')
    .select(['links.id', shownCode, 'links.title', 'link_totals.clicks as clickCount'])
    .where('link_totals.workspace_id', '=', workspaceId)
    .where('links.workspace_id', '=', workspaceId)
    .where('link_totals.clicks', '>', 0)
    .orderBy('link_totals.clicks', 'desc')
    .orderBy('link_totals.link_id', 'desc')
    .limit(TOP_LINKS)
    .execute()
}
