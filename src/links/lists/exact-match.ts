import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { couldBeCode } from '../../codes/code-rules.ts'
import { containsAll, type LinkSearch, searchedLinkIds } from '../../store/link-search.ts'
import { keyOf, type KeyOfDeps } from '../domains/key-of.ts'
import type { LinkKey } from '../link-key.ts'
import type { SearchTerms } from './search-terms.ts'

/** The link that a search names, by its short URL or by nothing but its code. */
export async function exactKey(
  deps: KeyOfDeps,
  caller: Caller,
  { search, shortUrl }: { search: string; shortUrl: SearchTerms['shortUrl'] },
): Promise<LinkKey | undefined> {
  if (shortUrl !== undefined) return shortUrl
  return couldBeCode(search) ? await keyOf(deps, caller, { code: search, domain: undefined }) : undefined
}

type Window = { limit: number; offset: number }

/** A page of the matches, the newest first, but the exact one before all of them. */
export async function exactFirst(
  db: KeyOfDeps['db'],
  search: LinkSearch,
  { limit, offset, exact: key }: Window & { exact: LinkKey },
): Promise<number[]> {
  const exact = await matchOf(db, search, key)
  if (exact === undefined) return searchedLinkIds(db, search, { limit, offset })
  if (offset === 0) {
    const newest = await searchedLinkIds(db, search, { limit, offset })
    return [exact, ...newest.filter((id) => id !== exact)].slice(0, limit)
  }
  // By age alone, the matches that are newer than the exact one are one place further up.
  const around = await searchedLinkIds(db, search, { limit: limit + 1, offset: offset - 1 })
  if (around.includes(exact)) return around.filter((id) => id !== exact)
  const isOnEarlierPage = around.length > 0 && exact > around[0]!
  return isOnEarlierPage ? around.slice(1) : around.slice(0, limit)
}

/** Undefined unless it is one of the matches: it changes their order, and not how many there are. */
async function matchOf(
  db: KeyOfDeps['db'],
  { shortUrl, words, workspaceId, where }: LinkSearch,
  { code, domainId }: LinkKey,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`SELECT link_id AS id FROM link_texts
    WHERE link_id = (SELECT link_id FROM codes WHERE code = ${code} AND domain_id = ${domainId})
    AND account_id = ${workspaceId} AND ${containsAll(db, shortUrl?.otherWords ?? words)}
    AND EXISTS (SELECT 1 FROM links WHERE links.id = link_texts.link_id AND ${where ?? sql`1 = 1`})`.execute(
    db,
  )
  return rows[0]?.id
}
