import { type RawBuilder, sql } from 'kysely'
import { contains, searchedLinks } from './engine-sql.ts'
import type { AnyDb } from './handles.ts'

/** All words must be in the text of a link; in lower case, as the texts are. A pasted short URL also finds its link. */
export type LinkSearch = {
  words: readonly string[]
  shortUrl: { domainId: number; code: string; otherWords: readonly string[] } | undefined
}

/** A query for the `id` of all links of the workspace that a search finds, by the index of texts. */
export function foundLinks(
  db: AnyDb,
  workspaceId: number,
  { words, shortUrl }: LinkSearch,
): RawBuilder<unknown> {
  const byWords = searchedLinks(db, workspaceId, words)
  if (shortUrl === undefined) return byWords
  return sql`${byWords} UNION SELECT link_id AS id FROM link_texts
    WHERE workspace_id = ${workspaceId} AND ${isNamed(db, shortUrl)}`
}

/** The same as a condition on `links`, for those that are looked at one by one. */
export const hasText = (db: AnyDb, { words, shortUrl }: LinkSearch): RawBuilder<boolean> =>
  sql<boolean>`EXISTS (SELECT 1 FROM link_texts WHERE link_id = links.id
    AND (${containsAll(db, words)}${shortUrl === undefined ? sql`` : sql` OR (${isNamed(db, shortUrl)})`}))`

const isNamed = (
  db: AnyDb,
  { code, domainId, otherWords }: NonNullable<LinkSearch['shortUrl']>,
): RawBuilder<boolean> =>
  sql<boolean>`link_id = (SELECT link_id FROM codes WHERE code = ${code} AND domain_id = ${domainId})
    AND ${containsAll(db, otherWords)}`

/** A condition on `link_texts`. */
export const containsAll = (db: AnyDb, words: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join([sql`1 = 1`, ...words.map((word) => contains(db, sql.ref('text'), word))], sql` AND `)}`
