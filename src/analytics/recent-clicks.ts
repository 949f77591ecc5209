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
  isBot: boolean
  country: string
  device: string
  browser: string
  os: string
  referrer: string
}

/** How many of the latest clicks of the whole instance are searched: in effect, the last minutes. */
const LOOKED_AT_MAX = 50_000

/** Clicks of the last minutes, latest first. Those that are merged are no single clicks. */
export async function recentClicks(db: AnyDb, scope: ClickScope, limit: number): Promise<RecentClick[]> {
  const rows = await selectClicks(db)
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
  return rows.map(toRecentClick)
}

export type Stretch = { after: number; upTo: number; workspaceIds: readonly number[]; limit: number }

/** The latest clicks of these workspaces in a range of ids, oldest first. */
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
  return rows.map(toRecentClick).reverse()
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
    .select([
      'clicks.id',
      'clicks.workspace_id as workspaceId',
      'clicks.link_id as linkId',
      'links.code',
      'links.domain_id as domainId',
      'links.title',
      'clicks.clicked_at as clickedAtUs',
      'clicks.bots',
      'clicks.country',
      'clicks.device',
      'clicks.browser',
      'clicks.os',
      'clicks.referrer',
    ])
}

type ClickRow = Awaited<ReturnType<ReturnType<typeof selectClicks>['execute']>>[number]

const toRecentClick = ({ bots, ...row }: ClickRow): RecentClick => ({ ...row, isBot: bots > 0 })
