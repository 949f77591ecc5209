import { type Dialect, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/**
 * The handles on the tables. They differ in what they promise, and each is a type of its own, so that a write that must be
 * durable cannot go through a relaxed handle, nor a long report through the writing one. A function asks for the handle it
 * needs; one that only reads asks for `CurrentDb`, or `AnyDb` if two seconds late is early enough.
 */
declare const use: unique symbol
type Handle<Use> = { readonly [use]: Use }

type Queries = Pick<Kysely<Database>, 'selectFrom' | 'fn' | 'getExecutor' | 'executeQuery'>
type Writes = Queries & Pick<Kysely<Database>, 'insertInto' | 'updateTable' | 'deleteFrom'>

/** For everything that is acknowledged to a caller: on the disk when the promise resolves. */
export type DurableDb = Writes & Handle<'durable'>

/** For counters and jobs that can be repeated: survives `kill -9`; a power failure may take the last moments. */
export type RelaxedDb = Writes & Handle<'relaxed'>

/**
 * For counting clicks, which the journal can repeat. SQLite loses the last moments of the counters together with the
 * journal position; a PostgreSQL primary may be replaced by another server, whose counters must not fall behind what was
 * shown.
 */
export type ClicksDb = Writes & Handle<'clicks'>

/** One transaction on any of the three. Only `transact` gives it. */
export type Tx = Writes & Handle<'transaction'>

/** Read only, and off this thread. Sees everything committed before the query. */
export type ReadDb = Queries & Handle<'read'>

/** For lists, searches and analytics: read only, and may be two seconds old where a replica answers. */
export type ReportDb = Queries & Handle<'report'>

/** A handle that can begin a transaction. */
export type WriteDb = DurableDb | RelaxedDb | ClicksDb

/** For reads that may take long: never the handle that writes. */
export type ReadOnlyDb = Queries & Handle<'read' | 'report'>

/** For short reads that see every commit: any handle but that for reports. */
export type CurrentDb = Queries & Handle<'durable' | 'relaxed' | 'clicks' | 'transaction' | 'read'>

/** For short reads, two seconds old or not. */
export type AnyDb = Queries & Handle<'durable' | 'relaxed' | 'clicks' | 'transaction' | 'read' | 'report'>

/** For what opens the store: only there a handle gets its promise. */
export const handleOn = <Db extends AnyDb>(dialect: Dialect): Db =>
  new Kysely<Database>({ dialect }) as unknown as Db

/** The builder behind a handle, for what it hides: transactions. */
export const kyselyOf = (db: AnyDb): Kysely<Database> => db as unknown as Kysely<Database>
