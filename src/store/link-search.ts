import { type RawBuilder, sql } from 'kysely'
import { contains, searchedLinks } from './engine-sql.ts'
import type { AnyDb } from './handles.ts'

/** Whether the trigram index can find the word. */
export const isIndexed = (word: string): boolean => [...word].length >= 3

/**
 * Finds the links of a workspace that contain all the words, which are in lower case, as the texts are. `by` says how: read
 * the workspace's texts (if it has few), use the trigram index, or scan all texts (if the workspace has most of them and no
 * word is long enough for the index). A pasted short URL also finds its link.
 */
export type LinkSearch = {
  workspaceId: number
  words: readonly string[]
  by: 'workspace' | 'trigrams' | 'scan'
  /** Undefined: with archived links. */
  archived?: 'exclude' | 'only' | undefined
  shortUrl?: { domainId: number; code: string; otherWords: readonly string[] } | undefined
}

/** The IDs of the links, latest first. */
export async function searchedLinkIds(
  db: AnyDb,
  search: LinkSearch,
  { limit, offset }: { limit: number; offset: number },
): Promise<number[]> {
  const found = foundLinks(db, search)
  const { rows } = await sql<{
    id: number
  }>`${found} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function searchedLinkCount(db: AnyDb, search: LinkSearch): Promise<number> {
  const found = foundLinks(db, search)
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found FROM (${found}) AS found`.execute(db)
  return Number(rows[0]!.found)
}

function foundLinks(db: AnyDb, search: LinkSearch): RawBuilder<unknown> {
  const found = foundByText(db, search)
  if (search.archived === undefined) return found
  const has = search.archived === 'only' ? sql`EXISTS` : sql`NOT EXISTS`
  return sql`SELECT id FROM (${found}) AS found
    WHERE ${has} (SELECT 1 FROM links WHERE links.id = found.id AND is_archived = 1)`
}

function foundByText(db: AnyDb, { shortUrl, ...search }: LinkSearch): RawBuilder<unknown> {
  const byWords = searchedLinks(db, search)
  if (shortUrl === undefined) return byWords
  const { workspaceId } = search
  const hasOthers = shortUrl.otherWords.map((word) => sql` AND ${contains(db, sql.ref('text'), word)}`)
  return sql`${byWords} UNION SELECT link_id AS id FROM link_texts
    WHERE link_id = (SELECT link_id FROM codes WHERE code = ${shortUrl.code} AND domain_id = ${shortUrl.domainId})
    AND account_id = ${workspaceId} ${sql.join(hasOthers, sql``)}`
}
