import { type RawBuilder, sql } from 'kysely'
import type { Db } from './open-store.ts'

/** Everything that the engines spell differently. Nothing outside this file may ask which engine it runs on. */

/** True when an insert or update was refused because a unique value is taken. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  const sqlite = code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  return sqlite || errno === '23505'
}

/** Thrown where something else that a commit needs is as unusable as SQLite can be. */
export class StoreUnavailable extends Error {}

/** True when the store could do nothing of the kind just then: the disk is full or fails, the file is locked or read-only. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY)/.test(code)
}

/** No row of the table will get this id, or a lower one, by itself. */
export async function raiseIds(db: Db, table: 'accounts' | 'links', id: number): Promise<void> {
  await sql`UPDATE sqlite_sequence SET seq = ${id} WHERE name = ${table} AND seq < ${id}`.execute(db)
  // A table that never had a row has none here either.
  await sql`INSERT INTO sqlite_sequence (name, seq) SELECT ${table}, ${id}
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${table})`.execute(db)
}

/** The shortest text that the trigram index can find. */
export const INDEXED_SEARCH_CHARS_MIN = 3
/** More of a long text's trigrams make the index no more selective, only slower. */
const TRIGRAMS_MAX = 16

/**
 * A search of one account's links. The text is in lower case, as the texts are. `by` is where to look: the account's
 * texts one by one (it has few), the trigram index, or all texts in a row (it has most of them, and the text is too
 * short for the index).
 */
export type LinkSearch = { accountId: number; text: string; by: 'account' | 'trigrams' | 'scan' }

/** The ids of the links that contain the text, latest first. */
export async function searchedLinkIds(
  db: Db,
  search: LinkSearch,
  { limit, offset }: { limit: number; offset: number },
): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`${searched(search)} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many links contain the text. */
export async function searchedLinkCount(db: Db, search: LinkSearch): Promise<number> {
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found FROM (${searched(search)})`.execute(
    db,
  )
  return Number(rows[0]!.found)
}

function searched({ accountId, text, by }: LinkSearch): RawBuilder<unknown> {
  const contains = sql`instr(link_texts.text, ${text}) > 0`
  const ownTexts = sql`SELECT link_id AS id FROM link_texts WHERE account_id = ${accountId} AND ${contains}`
  if (by === 'account') return ownTexts
  // The plus keeps SQLite from going by the account's index, row by row: in a row takes half the time.
  if (by === 'scan')
    return sql`SELECT link_id AS id FROM link_texts WHERE +account_id = ${accountId} AND ${contains}`
  // CROSS JOIN: SQLite keeps the order, the trigrams first.
  return sql`SELECT link_search.rowid AS id FROM link_search CROSS JOIN link_texts ON link_id = link_search.rowid
      WHERE link_search MATCH ${trigramsOf(text)} AND account_id = ${accountId} AND ${contains}
    UNION ALL ${ownTexts} AND link_id > (SELECT indexed_to FROM link_search_progress)`
}

/** So many are added in some hundredths of a second, in which nobody else can write. */
const INDEXED_AT_ONCE = 1_000

/** Adds the next new links to the trigram index. False when all were in it. */
export async function indexNewLinks(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ from: number; to: number | null }>`
      SELECT indexed_to AS "from", (
        SELECT max(link_id) FROM (
          SELECT link_id FROM link_texts WHERE link_id > indexed_to ORDER BY link_id LIMIT ${INDEXED_AT_ONCE}
        )
      ) AS "to" FROM link_search_progress`.execute(tx)
    const { from, to } = rows[0]!
    if (to === null) return false
    await sql`INSERT INTO link_search (rowid, text)
      SELECT link_id, text FROM link_texts WHERE link_id > ${from} AND link_id <= ${to} ORDER BY link_id`.execute(
      tx,
    )
    await sql`UPDATE link_search_progress SET indexed_to = ${to}`.execute(tx)
    return true
  })
}

/** A link that comes back is older than what is still to be indexed, so it is added by itself. */
export async function indexRestoredLink(tx: Db, linkId: number): Promise<void> {
  await sql`INSERT INTO link_search (rowid, text) SELECT link_id, text FROM link_texts
    WHERE link_id = ${linkId} AND link_id <= (SELECT indexed_to FROM link_search_progress)`.execute(tx)
}

/** `"cof" AND "off" AND "ffe" AND "fee"`, of a long text some that are spread over it. */
function trigramsOf(text: string): string {
  const characters = [...text]
  const count = characters.length - 2
  const step = Math.max(1, Math.ceil(count / TRIGRAMS_MAX))
  const starts = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
  const trigrams = new Set(starts.map((at) => characters.slice(at, at + 3).join('')))
  return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}
