import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { contains } from '../../store/engine-sql.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { linkCounts } from './count-links.ts'
import { allOf, type Condition, filterConditions, filterMoment } from './link-list.ts'
import type { LinkFilters } from './list-parameters.ts'
import type { ListLinksDeps } from './list-links.ts'
import { searchTermsOf, type SearchTerms } from './search-terms.ts'

/** A link with the time of its last click; null if it had none. */
export type ClickedLink = { link: Link; lastClickedAtUs: number | null }

/** Other requests wait while one page is written out. */
const LINKS_AT_ONCE = 500

/**
 * All links of a list, the newest first, a few at a time. Each page begins below the last ID of the one before: links that
 * are created in between have higher IDs and are not among them, and none is there twice.
 */
export async function* everyLink(
  deps: ListLinksDeps,
  caller: Caller,
  { search, filters }: { search: string; filters: LinkFilters },
): AsyncGenerator<ClickedLink[]> {
  const { db, clock, domains } = deps
  const counts = await linkCounts(db, caller.workspaceId)
  const moment = await filterMoment(deps, caller, { filters, counts, nowUs: clock.nowUs() })
  const found = search === '' ? [] : [foundBy(db, searchTermsOf(search, domains))]
  const where = allOf([...filterConditions(filters, moment), ...found])
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const ids = await idsBelow(db, caller, { before, where })
    if (ids.length === 0) return
    yield await linksOf(db, ids)
    before = ids.at(-1)!
  }
}

/** Along the texts, which an index has by workspace and ID: a search reads each of them once, whatever it finds. */
async function idsBelow(
  db: ReadOnlyDb,
  { workspaceId }: Caller,
  { before, where }: { before: number; where: Condition | undefined },
): Promise<number[]> {
  const rows = await db
    .selectFrom('link_texts')
    .innerJoin('links', 'links.id', 'link_texts.link_id')
    .select('links.id')
    .where('link_texts.account_id', '=', workspaceId)
    .where('link_texts.link_id', '<', before)
    .$if(where !== undefined, (query) => query.where(where!))
    .orderBy('link_texts.link_id', 'desc')
    .limit(LINKS_AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}

function foundBy(db: ReadOnlyDb, { words, shortUrl }: SearchTerms): Condition {
  const all = (parts: readonly string[]): Condition =>
    allOf(parts.map((part) => contains(db, sql.ref('link_texts.text'), part))) ?? sql<boolean>`1 = 1`
  if (shortUrl === undefined) return all(words)
  const { code, domainId, otherWords } = shortUrl
  const its = sql`(SELECT link_id FROM codes WHERE code = ${code} AND domain_id = ${domainId})`
  return sql<boolean>`(${all(words)} OR (links.id = ${its} AND ${all(otherWords)}))`
}

async function linksOf(db: ReadOnlyDb, ids: readonly number[]): Promise<ClickedLink[]> {
  const rows = await selectLinks(db)
    .select('link_totals.last_clicked_at')
    .where('links.id', 'in', ids)
    .orderBy('links.id', 'desc')
    .execute()
  return rows.map((row) => ({ link: toLink(row), lastClickedAtUs: row.last_clicked_at }))
}
