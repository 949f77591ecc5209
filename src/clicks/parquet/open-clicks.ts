import { COLUMN_TYPES, FACT_COLUMNS } from '../facts/fact-columns.ts'
import type { openSqliteReader } from '../../store/sqlite/sqlite-file.ts'
import type { DuckDbConnection } from './duckdb.ts'
import { EngineError } from './engine-error.ts'

export type SqliteReader = ReturnType<typeof openSqliteReader>

/** The table in DuckDB's memory. */
export const OPEN_CLICKS = 'open_clicks'

const COLUMNS = ['id', ...FACT_COLUMNS]

/** Clicks of before this version, and those of a store that was moved, have negative ones. */
export const BEFORE_ALL_IDS = Number.MIN_SAFE_INTEGER

const OPEN_ROWS_MAX = 1_000_000

/** Columns of this table, for a statement that creates one. */
export const FACT_TABLE = `(id BIGINT, ${FACT_COLUMNS.map((name) => `"${name}" ${COLUMN_TYPES[name]}`).join(', ')})`

/**
 * After an upgrade, or when a store was moved here. A copy of them would take too much memory, and SQL too long, until the background
 * thread has moved them into files. The first condition is cheap and enough most of the time.
 */
export const HAS_MANY_OPEN = `(SELECT max(id) FROM clicks) - (SELECT min(id) FROM clicks) >= ${OPEN_ROWS_MAX}
  AND EXISTS (SELECT 1 FROM clicks LIMIT 1 OFFSET ${OPEN_ROWS_MAX})`

const hasManyOpen = (database: SqliteReader): boolean =>
  database.query(`SELECT ${HAS_MANY_OPEN}`).values()[0]![0] === 1

/** A copy of the table `clicks` in DuckDB, which follows it by id: rows are only added at its end and removed. */
export class OpenClicks {
  readonly #connection: DuckDbConnection
  readonly #database: SqliteReader
  #lastId = BEFORE_ALL_IDS
  #rows = 0

  private constructor(connection: DuckDbConnection, database: SqliteReader) {
    this.#connection = connection
    this.#database = database
  }

  static async create(connection: DuckDbConnection, database: SqliteReader): Promise<OpenClicks> {
    await connection.all(`CREATE TABLE ${OPEN_CLICKS} ${FACT_TABLE}`)
    return new OpenClicks(connection, database)
  }

  /** How many it has. */
  get rows(): number {
    return this.#rows
  }

  /** Call it in a transaction of SQLite: afterwards both have the same rows. */
  async follow(): Promise<void> {
    if (hasManyOpen(this.#database))
      throw new EngineError('closing', 'The table has too many clicks, which are being moved into files.')
    const { firstId, rows } = this.#database
      .query('SELECT min(id) AS firstId, count(*) AS rows FROM clicks WHERE id <= ?')
      .get(this.#lastId) as { firstId: number | null; rows: number }
    if (rows !== this.#rows) await this.#removeBefore(firstId ?? this.#lastId + 1)
    // Not only the first ones are gone: clicks of a link that is forgotten, or another database.
    if (rows !== this.#rows) await this.#clear()
    const rowsBefore = this.#rows
    // Should it fail, as for want of memory, there may be some of them already: they are counted the next time.
    this.#rows = UNKNOWN_ROWS
    const newRows = await appendClicks(this.#connection, OPEN_CLICKS, {
      database: this.#database,
      afterId: this.#lastId,
    })
    this.#rows = rowsBefore + newRows
    const { id } = this.#database.query('SELECT max(id) AS id FROM clicks').get() as { id: number | null }
    this.#lastId = Math.max(this.#lastId, id ?? BEFORE_ALL_IDS)
  }

  /** By a new table: DuckDB does not give back the memory of deleted rows. */
  async #removeBefore(firstId: number): Promise<void> {
    await this.#connection.all(
      `CREATE OR REPLACE TABLE ${OPEN_CLICKS} AS SELECT * FROM ${OPEN_CLICKS} WHERE id >= $1`,
      [BigInt(firstId)],
    )
    const [count] = await this.#connection.all<{ rows: number }>(
      `SELECT count(*) AS rows FROM ${OPEN_CLICKS}`,
    )
    this.#rows = count!.rows
  }

  async #clear(): Promise<void> {
    await this.#connection.all(`CREATE OR REPLACE TABLE ${OPEN_CLICKS} ${FACT_TABLE}`)
    this.#rows = 0
    this.#lastId = BEFORE_ALL_IDS
  }
}

const UNKNOWN_ROWS = -1
const PAGE_ROWS = 16_384

type ClickRange = { database: SqliteReader; afterId: number; upToId?: number }

/** Copies rows of the table `clicks` into a table of DuckDB. Returns how many. */
export async function appendClicks(
  connection: DuckDbConnection,
  table: string,
  { database, afterId, upToId = Number.MAX_SAFE_INTEGER }: ClickRange,
): Promise<number> {
  const query = database.query(
    `SELECT ${COLUMNS.join(', ')} FROM clicks WHERE id > ? AND id <= ? ORDER BY id LIMIT ${PAGE_ROWS}`,
  )
  for (let lastId = afterId, count = 0; ;) {
    const rows = query.values(lastId, upToId)
    if (rows.length === 0) return count
    await connection.append(table, COLUMNS, rows)
    count += rows.length
    lastId = rows.at(-1)![0] as number
  }
}
