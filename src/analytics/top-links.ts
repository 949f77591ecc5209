import { shownCode } from '../links/shown-code.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { type ClickGroup, type ClickRow, ROWS_MAX } from '../clicks/queries/click-query.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { type ClickScope, clicksOf, type Quarters } from './count-clicks.ts'

export type RangeLink = {
  id: number
  domainId: number
  code: string
  title: string
  createdAtUs: number
  /** In the range. */
  clicks: number
}

type TopOfRange = { range: Quarters; limit: number }

const LOOKED_UP_AT_ONCE = 500

/** The links with the most clicks in the range, none that is deleted; and the clicks of all links. */
export async function topLinks(
  queries: ClickQueries,
  scope: ClickScope,
  { range, limit }: TopOfRange,
): Promise<{ links: RangeLink[]; total: number }> {
  let links: RangeLink[] = []
  let total = 0
  // Of deleted links there are clicks too, so that more may be needed than are shown.
  for (const top of [2 * limit, ROWS_MAX]) {
    const groups: ClickGroup[] = [{ by: ['link_id'], top }, { by: [] }]
    const [rows, all] = await queries.answer({ ...clicksOf(scope, range), counts: [], groups })
    links = []
    total = all![0]?.clicks ?? 0
    for (let at = 0; at < rows!.length && links.length < limit; at += LOOKED_UP_AT_ONCE)
      links.push(...(await linksOf(queries.db, scope.workspaceId, rows!.slice(at, at + LOOKED_UP_AT_ONCE))))
    if (links.length >= limit || rows!.length < top) break
  }
  return { links: links.slice(0, limit), total }
}

async function linksOf(db: ReadOnlyDb, workspaceId: number, rows: readonly ClickRow[]): Promise<RangeLink[]> {
  const clicksOf = new Map(rows.map(({ keys: [id], clicks }) => [Number(id), clicks]))
  if (clicksOf.size === 0) return []
  const links = await db
    .selectFrom('links')
    .select(['id', 'domain_id as domainId', shownCode, 'title', 'created_at as createdAtUs'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...clicksOf.keys()])
    .execute()
  return links
    .map((link) => ({ ...link, clicks: clicksOf.get(link.id)! }))
    .filter(({ clicks }) => clicks > 0)
    .toSorted((one, other) => other.clicks - one.clicks || other.id - one.id)
}
