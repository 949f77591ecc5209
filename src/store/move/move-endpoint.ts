import type { ClickFileRow } from '../sqlite/click-file-rows.ts'
import type { StoreIdentity } from '../store-identity.ts'
import type { MovedTable, NUMBERED_TABLES } from './moved-tables.ts'

/**
 * Rows as text, one line each, in the format of PostgreSQL's COPY. SQLite writes and reads it too, so nothing between the
 * two engines can change a value unnoticed.
 */
export type RowStream = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type Column = { name: string; holds: 'number' | 'text' | 'bytes' }

export type TableRows = { table: MovedTable; columns: readonly Column[] }

export type LastIds = Record<(typeof NUMBERED_TABLES)[number], number>

export type MoveReader = {
  columnsOf(table: MovedTable): Promise<Column[]>
  count(table: MovedTable): Promise<number>
  /** In the order of the table's key. */
  lines(of: TableRows): RowStream
  /** The highest ID that each table has ever assigned. */
  lastIds(): Promise<LastIds>
}

/** A file of clicks, and the links whose clicks in it were deleted. */
export type MovedFile = ClickFileRow & { forgottenLinks: readonly number[] }

/** What reads the click files of a store on SQLite. */
export type ClosedClicks = {
  /** In the order of the values of a row. */
  columns: readonly string[]
  /** Whether the times in the file are merged. */
  isMerged(name: string): boolean
  /** Refuses files that are missing or damaged. */
  check(files: readonly ClickFileRow[]): Promise<void>
  /** Those that count. */
  rows(file: MovedFile): AsyncIterable<(string | number)[][]>
  close(): Promise<void>
}

export type OpenClosedClicks = (dataDir: string) => ClosedClicks

/** A store that nobody can write to until the source is closed or the process ends. */
export type MoveSource = MoveReader & {
  /** Where it is, without a password. */
  location: string
  identity: StoreIdentity
  /** The UTC months of its clicks. */
  clickMonths(): Promise<number[]>
  /** Marks it as moved, so that nobody writes to it again, and ends the freeze. */
  leaveFor(destination: Pick<MoveDestination, 'id' | 'location'>, nowUs: number): Promise<void>
  close(): Promise<void>
}

export type Filling = {
  write(of: TableRows, lines: RowStream): Promise<void>
  prepareClickMonths(months: readonly number[]): Promise<void>
  setLastIds(ids: LastIds): Promise<void>
}

/** A store that nobody else opens, because it is marked as the destination of an unfinished move. */
export type MoveDestination = {
  location: string
  id: string
  /** Empties it and lets `work` fill it. Durable when it resolves. */
  fill(work: (into: Filling) => Promise<void>, onIndexes: () => unknown): Promise<void>
  /** Locks it against all writes, and reads it back. */
  hold(): Promise<MoveReader>
  /** Removes the mark: from here on it is the store. */
  finish(): Promise<void>
  close(): Promise<void>
}
