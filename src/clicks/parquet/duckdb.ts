import type { DuckDBConnection, DuckDBInstance, DuckDBResultReader, DuckDBValue } from '@duckdb/node-api'
import { COLUMN_TYPES } from '../facts/fact-columns.ts'
import { EngineError } from './engine-error.ts'

const SETTINGS = {
  threads: '2',
  // Sorting within this bound needs it: order is kept where a statement says so.
  preserve_insertion_order: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

/** The whole process then takes up to 400 MB while it merges months, and 200 to 300 MB otherwise. */
const MEMORY_MAX = '200MB'

/** What a chunk of DuckDB holds. */
const CHUNK_ROWS = 2048

type Library = typeof import('@duckdb/node-api')
export type Value = bigint | string | bigint[] | string[]

/** DuckDB in memory, on files of the current folder. */
export class DuckDb {
  readonly #library: Library
  readonly #instance: DuckDBInstance

  private constructor(library: Library, instance: DuckDBInstance) {
    this.#library = library
    this.#instance = instance
  }

  /** Rejects with `unsupported` where the package has no binary for the platform. */
  static async open(temporaryFolder: string, memoryMax = MEMORY_MAX): Promise<DuckDb> {
    const library = await import('@duckdb/node-api').catch((cause) => {
      // Such as a full disk, which takes no copy of the executable's library.
      if (typeof cause.errno === 'number') throw cause
      throw new EngineError('unsupported', `DuckDB does not run on this platform: ${cause.message}`)
    })
    const instance = await library.DuckDBInstance.create(':memory:', {
      ...SETTINGS,
      memory_limit: memoryMax,
      temp_directory: temporaryFolder,
    })
    const connection = await instance.connect()
    // Files never change under their name. An option of the extension, which is not there before.
    await connection.run('SET GLOBAL parquet_metadata_cache = true')
    connection.closeSync()
    return new DuckDb(library, instance)
  }

  async connect(): Promise<DuckDbConnection> {
    return new DuckDbConnection(this.#library, await this.#instance.connect())
  }

  close(): void {
    this.#instance.closeSync()
  }
}

/** Runs one statement at a time. */
export class DuckDbConnection {
  readonly #library: Library
  readonly #connection: DuckDBConnection

  constructor(library: Library, connection: DuckDBConnection) {
    this.#library = library
    this.#connection = connection
  }

  /** Values are `$1`, `$2` … in the text. Whole numbers in the rows are numbers. */
  async all<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    const reader = await this.#run(text, values)
    const names = reader.columnNames()
    return reader
      .getRows()
      .map((row) => Object.fromEntries(names.map((name, i) => [name, plain(row[i])])) as Row)
  }

  /** The same; each row has its values in the order of the columns. For many rows: it takes less than half the time. */
  async rows(text: string, values: readonly Value[] = []): Promise<unknown[][]> {
    const columns = (await this.#run(text, values)).getColumns()
    return (columns[0] ?? []).map((_, row) => columns.map((column) => plain(column[row])))
  }

  #run(text: string, values: readonly Value[]): Promise<DuckDBResultReader> {
    const { LIST, BIGINT, VARCHAR, listValue } = this.#library
    const typeOf = (value: bigint | string | undefined) => (typeof value === 'bigint' ? BIGINT : VARCHAR)
    const bound = values.map((value): DuckDBValue => (Array.isArray(value) ? listValue(value) : value))
    const types = values.map((value) => (Array.isArray(value) ? LIST(typeOf(value[0])) : typeOf(value)))
    return this.#connection.runAndReadAll(text, bound, types)
  }

  /**
   * Adds rows of numbers and texts to a table with these columns. Texts go into a dictionary first, and the rows as numbers: one call for
   * each text takes four times as long.
   */
  async append(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ): Promise<void> {
    const isText = columns.map((name) => COLUMN_TYPES[name] === 'VARCHAR')
    const numbers = columns.map((_, i) => `c${i} DOUBLE`)
    await this.all(`CREATE OR REPLACE TEMP TABLE staged (${numbers.join(', ')})`)
    const places = new Map<string, number>()
    const placeOf = (text: string) => {
      const place = places.get(text) ?? places.size + 1
      if (place > places.size) places.set(text, place)
      return place
    }
    await this.#stage(rows, (row, column) =>
      isText[column] ? placeOf(row[column] as string) : (row[column] as number),
    )
    const values = columns.map((_, i) => (isText[i] ? `$1[c${i}::INTEGER]` : `c${i}`))
    await this.all(
      `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')}) SELECT ${values.join(', ')} FROM staged`,
      [[...places.keys()]],
    )
  }

  async #stage(
    rows: readonly (readonly unknown[])[],
    valueOf: (row: readonly unknown[], column: number) => number,
  ) {
    const { DOUBLE, DuckDBDataChunk } = this.#library
    const types = Array.from({ length: rows[0]!.length }, () => DOUBLE)
    const appender = await this.#connection.createAppender('staged')
    let chunk = DuckDBDataChunk.create(types, CHUNK_ROWS)
    for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
      const chunkRows = rows.slice(from, from + CHUNK_ROWS)
      // Used again for each, as new ones take a while; only the last one is smaller.
      if (chunkRows.length < CHUNK_ROWS) chunk = DuckDBDataChunk.create(types, chunkRows.length)
      for (const column of types.keys())
        chunk.setColumnValues(
          column,
          chunkRows.map((row) => valueOf(row, column)),
        )
      appender.appendDataChunk(chunk)
    }
    appender.closeSync()
  }

  interrupt(): void {
    this.#connection.interrupt()
  }

  close(): void {
    this.#connection.closeSync()
  }
}

const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
