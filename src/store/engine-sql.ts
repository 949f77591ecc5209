import { PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './open-store.ts'
import { postgresSql } from './postgres-sql.ts'
import type { Database } from './schema.ts'
import { sqliteSql } from './sqlite-sql.ts'
import { StoreUnavailable } from '../store-unavailable.ts'

/** Everything that the engines spell differently. Nothing outside of store/ asks which engine it runs on. */
export type EngineSql = {
  insertRows<Returned>(tx: Db, target: RowTarget, rows: readonly (readonly unknown[])[]): Promise<Returned[]>
  findRows<Found>(tx: Db, target: RowTarget, rows: readonly (readonly unknown[])[]): Promise<Found[]>
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<boolean>
  joinEach(places: RawBuilder<unknown>, of: RowsOfPlace): RawBuilder<unknown>
  /** A query for the `id` of each link that is found. */
  searchedLinks(search: Omit<LinkSearch, 'shortUrl'>): RawBuilder<unknown>
  indexNewLinks(db: Db): Promise<boolean>
  indexRestoredLink(tx: Db, linkId: number): Promise<void>
  raiseIds(db: Db, table: 'accounts' | 'links', id: number): Promise<void>
  lock(tx: Db, name: string): Promise<void>
  readLock: RawBuilder<unknown>
  changeLock: RawBuilder<unknown>
  freeRowsLock: RawBuilder<unknown>
  runOnOneNode(db: Db, name: string, work: () => Promise<void>): Promise<void>
  prepareClickDays(db: Db, days: Iterable<number>): Promise<void>
  removeClicksBefore(db: Db, beforeUs: number): Promise<void>
  forgetChanges(db: Db): Promise<void>
}

const engineOf = (db: Db): EngineSql =>
  db.getExecutor().adapter instanceof PostgresAdapter ? postgresSql : sqliteSql

/** Where rows go and what becomes of those that are there already. */
export type RowTarget = {
  table: keyof Database
  columns: readonly string[]
  /** Those of the columns that hold texts; all others hold whole numbers. */
  texts?: readonly string[]
  /** What follows the rows, in the SQL that both engines understand: ON CONFLICT, RETURNING. */
  then?: string
}

/**
 * Writes many rows, each with its values in the order of the columns. Gives what `RETURNING` returned, in any order. No
 * two of the rows may be in conflict with each other.
 */
export async function writeRows<Returned = never>(
  tx: Db,
  target: RowTarget,
  rows: readonly (readonly unknown[])[],
): Promise<Returned[]> {
  return rows.length === 0 ? [] : engineOf(tx).insertRows<Returned>(tx, target, rows)
}

/**
 * Rows that need not be written because they are there, whole; found without a lock. None where locks are no matter, and
 * to write is to find.
 */
export async function findRows<Found>(
  tx: Db,
  target: RowTarget,
  rows: readonly (readonly unknown[])[],
): Promise<Found[]> {
  return rows.length === 0 ? [] : engineOf(tx).findRows<Found>(tx, target, rows)
}

/** True when an insert or update was refused because a unique value is taken. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  const sqlite = code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  return sqlite || errno === '23505'
}

/** The disk is full or fails, the file is locked or read-only, or the store lives elsewhere now (moved-mark.ts). */
const SQLITE_UNAVAILABLE = /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|CONSTRAINT_TRIGGER)/
/** The connection could not be made, or is gone: what was asked may or may not have been done. */
const POSTGRES_GONE = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)/
/**
 * By SQLSTATE: no connection (08), too few resources (53), ended by an operator or a time limit (57, 25P03), a fault of
 * the system (58), read-only (25006), and given up in favour of another transaction (40, 55P03).
 */
const POSTGRES_UNAVAILABLE = /^(08|40|53|57|58|25006|25P03|55P03)/

/** True when the store could do nothing of the kind just then. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  if (typeof errno === 'string' && POSTGRES_UNAVAILABLE.test(errno)) return true
  return typeof code === 'string' && (SQLITE_UNAVAILABLE.test(code) || POSTGRES_GONE.test(code))
}

/** Whether the text has the part in it, letter for letter. */
export const contains = (db: Db, text: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  engineOf(db).contains(text, part)

export type RowsOfPlace = { table: keyof Database; where: RawBuilder<unknown> }

/**
 * What stands behind FROM to read, for each of a few places, the rows of a large table that belong to it. The places are
 * gone through one by one, each by the table's index; read in another way, it takes the whole table.
 */
export const joinEach = (db: Db, places: RawBuilder<unknown>, of: RowsOfPlace): RawBuilder<unknown> =>
  engineOf(db).joinEach(places, of)

/** No row of the table will get this id, or a lower one, by itself. In a transaction. */
export const raiseIds = (db: Db, table: 'accounts' | 'links', id: number): Promise<void> =>
  engineOf(db).raiseIds(db, table, id)

/**
 * Until the transaction ends, whoever else asks for the lock of this name waits: for rules that one statement cannot
 * judge, because they are about rows that are not there yet.
 */
export const lock = (tx: Db, name: string): Promise<void> => engineOf(tx).lock(tx, name)

/** Reads rows that nobody changes until the transaction ends. */
export const readLocked = <Tables extends keyof Database, Row>(
  tx: Db,
  query: SelectQueryBuilder<Database, Tables, Row>,
): SelectQueryBuilder<Database, Tables, Row> => query.modifyEnd(engineOf(tx).readLock)

/**
 * Reads rows that the transaction is about to change, one after the other in the query's order: for a statement that changes
 * several takes them as they come, and two such statements would each wait for a row that the other one has.
 */
export const lockedToChange = <Tables extends keyof Database, Row>(
  tx: Db,
  query: SelectQueryBuilder<Database, Tables, Row>,
): SelectQueryBuilder<Database, Tables, Row> => query.modifyEnd(engineOf(tx).changeLock)

/** Reads rows to be removed, but for those that somebody else is changing: a job finds them the next time. */
export const freeToRemove = <Tables extends keyof Database, Row>(
  db: Db,
  query: SelectQueryBuilder<Database, Tables, Row>,
): SelectQueryBuilder<Database, Tables, Row> => query.modifyEnd(engineOf(db).freeRowsLock)

/** A value whose type the query does not tell by itself. */
export const wholeNumber = (value: number): RawBuilder<number> => sql`CAST(${value} AS BIGINT)`

/** Does the work unless another node of the same store is at it. */
export const runOnOneNode = (db: Db, name: string, work: () => Promise<void>): Promise<void> =>
  engineOf(db).runOnOneNode(db, name, work)

/** To be called before single clicks of these UTC days are written. */
export const prepareClickDays = (db: Db, days: Iterable<number>): Promise<void> =>
  engineOf(db).prepareClickDays(db, days)

/** Removes the single clicks of before that time; where days are tables, of whole days. */
export const removeClicksBefore = (db: Db, beforeUs: number): Promise<void> =>
  engineOf(db).removeClicksBefore(db, beforeUs)

/** Forgets what has changed so long ago that every node has heard of it, or looks at everything anew. */
export const forgetChanges = (db: Db): Promise<void> => engineOf(db).forgetChanges(db)

/** Whether the trigram index can find the word. */
export const isIndexed = (word: string): boolean => [...word].length >= 3

/**
 * A search of one account's links for those that have all the words. They are in lower case, as the texts are. `by` is
 * where to look: the account's texts one by one (it has few), the trigram index, or all texts in a row (it has most of
 * them, and no word is long enough for the index). A short URL that was pasted finds its link beside them.
 */
export type LinkSearch = {
  accountId: number
  words: readonly string[]
  by: 'account' | 'trigrams' | 'scan'
  shortUrl?: { code: string; otherWords: readonly string[] } | undefined
}

/** The ids of the links that are found, latest first. */
export async function searchedLinkIds(
  db: Db,
  search: LinkSearch,
  { limit, offset }: { limit: number; offset: number },
): Promise<number[]> {
  const found = foundLinks(db, search)
  const { rows } = await sql<{
    id: number
  }>`${found} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many links are found. */
export async function searchedLinkCount(db: Db, search: LinkSearch): Promise<number> {
  const found = foundLinks(db, search)
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found FROM (${found}) AS found`.execute(db)
  return Number(rows[0]!.found)
}

function foundLinks(db: Db, { shortUrl, ...search }: LinkSearch): RawBuilder<unknown> {
  const byWords = engineOf(db).searchedLinks(search)
  if (shortUrl === undefined) return byWords
  const { accountId } = search
  const hasOthers = shortUrl.otherWords.map((word) => sql` AND ${contains(db, sql.ref('text'), word)}`)
  return sql`${byWords} UNION SELECT link_id AS id FROM link_texts
    WHERE link_id = (SELECT id FROM links WHERE code = ${shortUrl.code} AND account_id = ${accountId})
    ${sql.join(hasOthers, sql``)}`
}

/** Adds the next new links to the trigram index, where that is not done as they are made. False when all were in it. */
export const indexNewLinks = (db: Db): Promise<boolean> => engineOf(db).indexNewLinks(db)

/** A link that comes back is older than what is still to be indexed, so it is added by itself. */
export const indexRestoredLink = (tx: Db, linkId: number): Promise<void> =>
  engineOf(tx).indexRestoredLink(tx, linkId)
