import { PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { AnyDb, RelaxedDb, Tx, WriteDb } from './handles.ts'
import { postgresSql } from './postgres/postgres-sql.ts'
import type { Database } from './schema.ts'
import { sqliteSql } from './sqlite/sqlite-sql.ts'

/** Everything that the engines spell differently. Nothing outside of store/ asks which engine it runs on. */
export type EngineSql = {
  /**
   * Writes many rows, each with its values in the order of the columns. Gives what `RETURNING` returned, in any order. No
   * two of the rows may conflict with each other.
   */
  writeRows<Returned = never>(db: WriteDb | Tx, target: RowInsert, rows: Rows): Promise<Returned[]>
  /** Writes the rows of several tables, at most 5,000 of each and none returned: on PostgreSQL in one round trip. */
  writeTogether(tx: Tx, targets: readonly RowInsert[], rows: readonly Rows[]): Promise<void>
  /** Where the text first has the part, letter for letter, counted from 1; 0: nowhere. */
  positionOf(db: AnyDb, text: RawBuilder<unknown>, part: string): RawBuilder<number>
  /** The elements of a JSON array, as rows with a `value`. */
  jsonElements(db: AnyDb, json: string): RawBuilder<unknown>
  /** A query for the `id` of each link of the workspace whose text has all words, by the trigram index if it has one of them. */
  searchedLinks(db: AnyDb, workspaceId: number, words: readonly string[]): RawBuilder<unknown>
  /** Adds the next new links to the trigram index, if inserting them did not. False when all were in it. */
  indexNewLinks(db: RelaxedDb): Promise<boolean>
  /** A restored link is older than the links that are still to be indexed, so it is added by itself. */
  indexRestoredLink(tx: Tx, linkId: number): Promise<void>
  /** Keeps the table from assigning this ID or a lower one. */
  raiseIds(tx: Tx, table: NumberedTable, id: number): Promise<void>
  /**
   * Takes the lock of this name until the transaction ends: for rules that one statement cannot check, because they are
   * about rows that do not exist yet.
   */
  lock(tx: Tx, name: string): Promise<void>
  /** Reads rows that nobody can change until the transaction ends. */
  readLocked<Query extends AnySelect>(tx: Tx, query: Query): Query
  /**
   * Reads rows that the transaction is about to change, in the query's order. An UPDATE of several rows locks them in an
   * order of its own, so two of them could deadlock.
   */
  lockedToChange<Query extends AnySelect>(db: WriteDb | Tx, query: Query): Query
  /** Reads rows to be removed, except those that another transaction is changing: the job finds them the next time. */
  freeToRemove<Query extends AnySelect>(db: WriteDb | Tx, query: Query): Query
  /** Does the work unless another node of the same store is doing it. */
  runOnOneNode(db: WriteDb, name: string, work: () => Promise<void>): Promise<void>
  /** Call it before writing clicks of these UTC months. */
  prepareClickMonths(db: WriteDb, months: Iterable<number>): Promise<void>
  /** Writes something that leaves nothing behind, and fails if the store accepts no changes or has no room. */
  tryToWrite(db: WriteDb): Promise<void>
  /** Forgets changes that every node has read, or will not need because it reads everything again. */
  forgetChanges(db: RelaxedDb): Promise<void>
}

export type Rows = readonly (readonly unknown[])[]
export type AnySelect = SelectQueryBuilder<any, any, any>
/** Tables whose IDs also stand outside of the database. */
export type NumberedTable = 'domains' | 'links' | 'workspaces'

/** Which rows to insert, and what to do with existing ones. */
export type RowInsert = {
  table: keyof Database
  columns: readonly string[]
  /** The text columns; all others hold integers. */
  texts?: readonly string[]
  /** What follows the rows, in SQL that both engines understand: ON CONFLICT, RETURNING. */
  then?: string
}

const isPostgres = (db: AnyDb): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Each function runs on the engine of the handle it is given. */
export const {
  writeRows,
  writeTogether,
  positionOf,
  jsonElements,
  searchedLinks,
  indexNewLinks,
  indexRestoredLink,
  raiseIds,
  lock,
  readLocked,
  lockedToChange,
  freeToRemove,
  runOnOneNode,
  prepareClickMonths,
  forgetChanges,
  tryToWrite,
} = byEngine()

function byEngine(): EngineSql {
  type Run = (db: AnyDb, ...rest: unknown[]) => unknown
  const [sqlite, postgres] = [sqliteSql, postgresSql] as unknown as Record<keyof EngineSql, Run>[]
  const dispatch = (name: keyof EngineSql): Run => {
    const onSqlite = sqlite![name]
    const onPostgres = postgres![name]
    return (db, ...rest) => (isPostgres(db) ? onPostgres : onSqlite)(db, ...rest)
  }
  const names = Object.keys(sqliteSql) as (keyof EngineSql)[]
  return Object.fromEntries(names.map((name) => [name, dispatch(name)])) as unknown as EngineSql
}

/** Whether the text contains the part, letter for letter. */
export const contains = (db: AnyDb, text: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  sql<boolean>`${positionOf(db, text, part)} > 0`

/** A parameter whose type the query does not imply. */
export const wholeNumber = (value: number): RawBuilder<number> => sql`CAST(${value} AS BIGINT)`
