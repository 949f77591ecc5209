import { type RawBuilder, sql } from 'kysely'
import { contains, searchedLinks } from './engine-sql.ts'
import type { AnyDb } from './handles.ts'

/** Whether the trigram index can find the word. */
export const isIndexed = (word: string): boolean => [...word].length >= 3

/**
 * Finds the links of a workspace that contain all the words, which are in lower case, as the texts are. `by` says how: read
 * the workspace's texts (if it has few, or those `among` which to look are few), use the trigram index, or scan all texts (if
 * the workspace has most of them and no word is long enough for the index). A pasted short URL also finds its link.
 */
export type LinkSearch = {
  workspaceId: number
  words: readonly string[]
  by: 'workspace' | 'trigrams' | 'scan'
  /** A query for the IDs of the only links whose texts are read. Only by workspace. */
  among?: RawBuilder<unknown> | undefined
  /** What else must hold, of `links`. */
  where?: RawBuilder<boolean> | undefined
  shortUrl?: { domainId: number; code: string; otherWords: readonly string[] } | undefined
}

type Slice = { direction?: 'asc' | 'desc'; limit: number; offset: number }

/** The IDs of the links, by age: the latest first by default. */
export async function searchedLinkIds(
  db: AnyDb,
  search: LinkSearch,
  { direction = 'desc', limit, offset }: Slice,
): Promise<number[]> {
  const order = direction === 'asc' ? sql`id` : sql`id DESC`
  const { rows } = await sql<{
    id: number
  }>`${foundLinks(db, search)} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function searchedLinkCount(db: AnyDb, search: LinkSearch): Promise<number> {
  const found = foundLinks(db, search)
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found FROM (${found}) AS found`.execute(db)
  return Number(rows[0]!.found)
}

function foundLinks(db: AnyDb, { where, ...search }: LinkSearch): RawBuilder<unknown> {
  const found = foundByText(db, search)
  if (where === undefined) return found
  return sql`SELECT id FROM (${found}) AS found
    WHERE EXISTS (SELECT 1 FROM links WHERE links.id = found.id AND ${where})`
}

function foundByText(db: AnyDb, { shortUrl, ...search }: Omit<LinkSearch, 'where'>): RawBuilder<unknown> {
  const byWords = searchedLinks(db, search)
  if (shortUrl === undefined) return byWords
  const { workspaceId } = search
  return sql`${byWords} UNION SELECT link_id AS id FROM link_texts
    WHERE link_id = (SELECT link_id FROM codes WHERE code = ${shortUrl.code} AND domain_id = ${shortUrl.domainId})
    AND account_id = ${workspaceId} AND ${containsAll(db, shortUrl.otherWords)}`
}

/** Whether the text of a link, which the query calls `text`, has all of the words. */
export const containsAll = (
  db: AnyDb,
  words: readonly string[],
  text = sql.ref('text'),
): RawBuilder<boolean> =>
  words.length === 0
    ? sql<boolean>`1 = 1`
    : sql<boolean>`${sql.join(
        words.map((word) => contains(db, text, word)),
        sql` AND `,
      )}`
