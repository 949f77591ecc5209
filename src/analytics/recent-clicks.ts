import { shownCode } from '../links/shown-code.ts'
import { sql } from 'kysely'
import type { AnyDb } from '../store/handles.ts'
import type { ClickScope } from './count-clicks.ts'

/** One click, as its owner may see it; '' where unknown. */
export type RecentClick = {
  id: number
  workspaceId: number
  linkId: number
  /** Null if the link has been deleted since. */
  code: string | null
  domainId: number | null
  title: string | null
  clickedAtUs: number
  country: string
  city: string
  device: string
  browser: string
  os: string
  referrer: string
  via: string
}

/** How many of the latest clicks of the whole instance are searched: in effect, the last minutes. */
const LOOKED_AT_MAX = 50_000

/** Clicks of the last minutes, without those of bots, latest first. Those that are merged are no single clicks. */
export async function recentClicks(db: AnyDb, scope: ClickScope, limit: number): Promise<RecentClick[]> {
  return selectClicks(db)
    .where('clicks.id', '>', sql<number>`(SELECT coalesce(max(id), 0) - ${LOOKED_AT_MAX} FROM clicks)`)
    .where('clicks.id', '>', sql<number>`(SELECT merged_to FROM click_progress)`)
    .where(
      scope.linkId === undefined ? 'clicks.workspace_id' : 'clicks.link_id',
      '=',
      scope.linkId ?? scope.workspaceId,
    )
    .orderBy('clicks.id', 'desc')
    .limit(limit)
    .execute()
}

export type Stretch = { after: number; upTo: number; workspaceIds: readonly number[]; limit: number }

/** The latest clicks of these workspaces in a range of ids, without those of bots, oldest first. */
export async function clicksBetween(
  db: AnyDb,
  { after, upTo, workspaceIds, limit }: Stretch,
): Promise<RecentClick[]> {
  const rows = await selectClicks(db)
    .where('clicks.id', '>', after)
    .where('clicks.id', '<=', upTo)
    .where('clicks.workspace_id', 'in', workspaceIds)
    .orderBy('clicks.id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}

export async function latestClickId(db: AnyDb): Promise<number> {
  const { id } = await db
    .selectFrom('clicks')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow()
  return id ?? 0
}

function selectClicks(db: AnyDb) {
  return db
    .selectFrom('clicks')
    .leftJoin('links', 'links.id', 'clicks.link_id')
    .where('clicks.bots', '=', 0)
    .select([
      'clicks.id',
      'clicks.workspace_id as workspaceId',
      'clicks.link_id as linkId',
      shownCode,
      'links.domain_id as domainId',
      'links.title',
      'clicks.clicked_at as clickedAtUs',
      'clicks.country',
      'clicks.city',
      'clicks.device',
      'clicks.browser',
      'clicks.os',
      'clicks.referrer',
      'clicks.via',
    ])
}
