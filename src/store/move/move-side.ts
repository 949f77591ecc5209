import type { StoreIdentity } from '../store-identity.ts'
import type { MovedTable, NUMBERED_TABLES } from './moved-tables.ts'

/**
 * Rows on their way, a line each: the text format of PostgreSQL's COPY, which SQLite is made to write and read as well.
 * Each side writes the lines itself, byte for byte, so nothing in between can change a value unseen.
 */
export type Lines = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type Column = { name: string; holds: 'number' | 'text' | 'bytes' }

export type TableLines = { table: MovedTable; columns: readonly Column[] }

export type LastIds = Record<(typeof NUMBERED_TABLES)[number], number>

/** What either side tells of itself. */
export type MoveReader = {
  columnsOf(table: MovedTable): Promise<Column[]>
  count(table: MovedTable): Promise<number>
  /** In the order of the table's key. */
  lines(of: TableLines): Lines
  /** The highest id that each table has ever given. */
  lastIds(): Promise<LastIds>
}

/** A store that nobody can write to, as long as the process lives and the source is not closed. */
export type MoveSource = MoveReader & {
  /** Where it is, without a password. */
  place: string
  identity: StoreIdentity
  /** The UTC days of its single clicks. */
  clickDays(): Promise<number[]>
  /** Marks it as moved there, so that nobody ever writes to it again, and ends the freeze with that. */
  leaveFor(target: Pick<MoveTarget, 'id' | 'place'>, nowUs: number): Promise<void>
  close(): Promise<void>
}

/** Takes the rows of one table after the other. */
export type Filling = {
  write(of: TableLines, lines: Lines): Promise<void>
  prepareClickDays(days: readonly number[]): Promise<void>
  setLastIds(ids: LastIds): Promise<void>
}

/** A store that nobody else opens, because it carries the mark of a move that is not finished. */
export type MoveTarget = {
  place: string
  id: string
  /** Empties it and has it filled. All that was filled outlives a crash when it resolves. */
  fill(work: (into: Filling) => Promise<void>, onIndexes: () => unknown): Promise<void>
  /** Nobody at all writes to it from here on; to be read back. */
  hold(): Promise<MoveReader>
  /** Takes the mark away: from here on it is the store. */
  finish(): Promise<void>
  close(): Promise<void>
}
