import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'

/** Everything that the engines spell differently. Nothing outside this file may ask which engine it runs on. */

/** True when an insert or update was refused because a unique value is taken. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  const sqlite = code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  return sqlite || errno === '23505'
}

/** True when the store could do nothing of the kind just then: the disk is full or fails, the file is locked or read-only. */
export function isStoreUnavailable(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY)/.test(code)
}

/** The shortest text that the trigram index can find. */
export const INDEXED_SEARCH_CHARS_MIN = 3

/** Links whose title or URL contains the text, whatever its case, found by the trigram index. */
export function linkTextIndexed(text: string): Expression<SqlBool> {
  // A quoted FTS5 string is a phrase; with the trigram tokenizer a phrase is a literal, case-folded substring.
  const phrase = `"${text.replaceAll('"', '""')}"`
  return sql<SqlBool>`links.id IN (SELECT rowid FROM link_search WHERE link_search MATCH ${phrase})`
}

/** The same by reading the rows: for texts too short for the index and for accounts with few links. */
export function linkTextScanned(text: string): Expression<SqlBool> {
  // LIKE folds ASCII only, so other letters are tried in both cases.
  const patterns = new Set([text, text.toLowerCase(), text.toUpperCase()].map(likePattern))
  const tests = [...patterns].map(
    (pattern): RawBuilder<SqlBool> =>
      sql`links.title LIKE ${pattern} ESCAPE '\\' OR links.original_url LIKE ${pattern} ESCAPE '\\'`,
  )
  return sql<SqlBool>`(${sql.join(tests, sql` OR `)})`
}

const likePattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
