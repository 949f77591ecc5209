import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { Refusal } from '../../errors/refusal.ts'
import { orphans } from '../sqlite/database-copy.ts'
import type { Column, Filling, LastIds, RowStream, TableRows } from './move-endpoint.ts'
import { MOVED_TABLES, NUMBERED_TABLES } from './moved-tables.ts'
import { readLine } from './sqlite-rows.ts'

const CACHE_KIB = 256 * 1024
const ROWS_PER_STATEMENT = 32

/**
 * Fills a file that nobody else has open and that is useless until it is complete: SQLite keeps no rollback journal and
 * does not wait for the disk. Indexes are built at the end, from all rows at once.
 */
export async function fillFile(
  path: string,
  work: (into: Filling) => Promise<void>,
  onIndexes: () => unknown,
): Promise<void> {
  const database = new Database(path, { readwrite: true, strict: true })
  try {
    database.run('PRAGMA journal_mode = OFF')
    database.run('PRAGMA synchronous = OFF')
    database.run(`PRAGMA cache_size = -${CACHE_KIB}`)
    database.run('BEGIN')
    for (const table of MOVED_TABLES) database.run(`DELETE FROM ${table}`)
    const indexes = dropConstraintsAndIndexes(database)
    await work(fillingOf(database))
    await onIndexes()
    for (const { sql } of indexes) database.run(sql)
    database.run('COMMIT')
    const errors = orphans(database)
    if (errors.length > 0)
      throw new Refusal('command_failed', `The source contradicts itself: ${errors.join('; ')}.`)
  } finally {
    database.close()
  }
}

/** Drops all indexes except those of keys. Returns the statements that create them again. */
function dropConstraintsAndIndexes(database: Database): { sql: string }[] {
  const indexes = database
    .query(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`)
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) database.run(`DROP INDEX ${name}`)
  return indexes
}

function fillingOf(database: Database): Filling {
  return {
    write: (of, lines) => write(database, of, lines),
    async prepareClickMonths() {},
    async setLastIds(ids) {
      setLastIds(database, ids)
    },
  }
}

async function write(database: Database, { table, columns }: TableRows, lines: RowStream): Promise<void> {
  const insert = new Inserts(database, { table, columns })
  let rest = Buffer.alloc(0)
  for await (const some of lines) {
    const bytes = rest.length === 0 ? Buffer.from(some) : Buffer.concat([rest, some])
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    for (const connection of bytes.toString('utf8', 0, Math.max(0, end - 1)).split('\n')) {
      if (end > 0) insert.add(readLine(connection, columns))
    }
    rest = Buffer.from(bytes.subarray(end))
  }
  insert.end()
}

const LINE_FEED = 0x0a

/** Inserts many rows per statement, and the last ones one by one. */
class Inserts {
  readonly #many: Statement
  readonly #one: Statement
  readonly #columns: number
  #values: SQLQueryBindings[] = []

  constructor(database: Database, { table, columns }: TableRows) {
    const statement = (rows: number) =>
      database.prepare(
        `INSERT INTO ${table} (${namesOf(columns)}) VALUES ${Array(rows).fill(placesOf(columns)).join(', ')}`,
      )
    this.#many = statement(ROWS_PER_STATEMENT)
    this.#one = statement(1)
    this.#columns = columns.length
  }

  add(row: readonly SQLQueryBindings[]): void {
    this.#values.push(...row)
    if (this.#values.length < ROWS_PER_STATEMENT * this.#columns) return
    this.#many.run(...this.#values)
    this.#values = []
  }

  end(): void {
    for (let at = 0; at < this.#values.length; at += this.#columns)
      this.#one.run(...this.#values.slice(at, at + this.#columns))
    this.#many.finalize()
    this.#one.finalize()
  }
}

const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name).join(', ')
const placesOf = (columns: readonly Column[]) => `(${columns.map(() => '?').join(', ')})`

function setLastIds(database: Database, ids: LastIds): void {
  for (const table of NUMBERED_TABLES) {
    database.query('DELETE FROM sqlite_sequence WHERE name = ?').run(table)
    if (ids[table] > 0)
      database.query('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, ids[table])
  }
}
