import { sql } from 'kysely'
import type { Db } from '../store/open-store.ts'
import type { ClickOwner } from './click-counts.ts'

/** One click, as its owner may see it; '' where unknown. */
export type RecentClick = {
  id: number
  accountId: number
  linkId: number
  /** Null when the link has been deleted meanwhile. */
  code: string | null
  title: string | null
  clickedAtUs: number
  isBot: boolean
  country: string
  device: string
  browser: string
  os: string
  referrer: string
}

/** So many of the whole instance's latest clicks are looked through for the owner's: the last minutes, in effect. */
const LOOKED_AT_MAX = 50_000

/** The owner's clicks of the last minutes, the latest first. Clicks older than those say nothing about now. */
export async function recentClicks(db: Db, owner: ClickOwner, limit: number): Promise<RecentClick[]> {
  const rows = await selectClicks(db)
    .where('clicks.id', '>', sql<number>`(SELECT coalesce(max(id), 0) - ${LOOKED_AT_MAX} FROM clicks)`)
    .where(
      'accountId' in owner ? 'clicks.account_id' : 'clicks.link_id',
      '=',
      'accountId' in owner ? owner.accountId : owner.linkId,
    )
    .orderBy('clicks.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRecentClick)
}

export type Stretch = { after: number; upTo: number; accountIds: readonly number[]; limit: number }

/** The latest clicks of these accounts among those with ids in a stretch, oldest first. */
export async function clicksBetween(
  db: Db,
  { after, upTo, accountIds, limit }: Stretch,
): Promise<RecentClick[]> {
  const rows = await selectClicks(db)
    .where('clicks.id', '>', after)
    .where('clicks.id', '<=', upTo)
    .where('clicks.account_id', 'in', accountIds)
    .orderBy('clicks.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRecentClick).reverse()
}

export async function latestClickId(db: Db): Promise<number> {
  const { id } = await db
    .selectFrom('clicks')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow()
  return id ?? 0
}

function selectClicks(db: Db) {
  return db
    .selectFrom('clicks')
    .leftJoin('links', 'links.id', 'clicks.link_id')
    .leftJoin('audiences', 'audiences.id', 'clicks.audience_id')
    .select([
      'clicks.id',
      'clicks.account_id as accountId',
      'clicks.link_id as linkId',
      'links.code',
      'links.title',
      'clicks.clicked_at as clickedAtUs',
      'clicks.is_bot',
      'audiences.country',
      'audiences.device',
      'audiences.browser',
      'audiences.os',
      'audiences.referrer',
    ])
}

type ClickRow = Awaited<ReturnType<ReturnType<typeof selectClicks>['execute']>>[number]

/** Of bots nothing is kept, so they have no audience. */
const toRecentClick = ({
  is_bot,
  country,
  device,
  browser,
  os,
  referrer,
  ...row
}: ClickRow): RecentClick => ({
  ...row,
  isBot: is_bot === 1,
  country: country ?? '',
  device: device ?? '',
  browser: browser ?? '',
  os: os ?? '',
  referrer: referrer ?? '',
})
