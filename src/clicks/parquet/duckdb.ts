import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api'
import { COLUMN_TYPES } from '../facts/fact-columns.ts'
import { EngineError } from './engine-error.ts'

const SETTINGS = {
  threads: '2',
  memory_limit: '300MB',
  // Sorting within this bound needs it: order is kept where a statement says so.
  preserve_insertion_order: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

/** What is added to the table in memory at a time. */
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
  static async open(temporaryFolder: string): Promise<DuckDb> {
    const library = await import('@duckdb/node-api').catch((cause) => {
      throw new EngineError('unsupported', `DuckDB does not run on this platform: ${cause.message}`)
    })
    const instance = await library.DuckDBInstance.create(':memory:', {
      ...SETTINGS,
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
    const { LIST, BIGINT, VARCHAR, listValue } = this.#library
    const typeOf = (value: bigint | string | undefined) => (typeof value === 'bigint' ? BIGINT : VARCHAR)
    const bound = values.map((value): DuckDBValue => (Array.isArray(value) ? listValue(value) : value))
    const types = values.map((value) => (Array.isArray(value) ? LIST(typeOf(value[0])) : typeOf(value)))
    const reader = await this.#connection.runAndReadAll(text, bound, types)
    const names = reader.columnNames()
    return reader
      .getRows()
      .map((row) => Object.fromEntries(names.map((name, i) => [name, plain(row[i])])) as Row)
  }

  /** Adds rows of the table's columns. Returns how many there were. */
  async append(table: string, columns: readonly string[], rows: Iterable<readonly unknown[]>): Promise<number> {
    const { BIGINT, VARCHAR, INTEGER, DuckDBDataChunk } = this.#library
    const types = columns.map((name) => ({ BIGINT, VARCHAR, INTEGER })[COLUMN_TYPES[name] ?? 'BIGINT'])
    const appender = await this.#connection.createAppender(table)
    let count = 0
    for (const chunkRows of chunksOf(rows)) {
      const chunk = DuckDBDataChunk.create(types, chunkRows.length)
      for (const [i, type] of types.entries())
        chunk.setColumnValues(
          i,
          chunkRows.map((row) => (type === BIGINT ? BigInt(row[i] as number) : (row[i] as string | number))),
        )
      appender.appendDataChunk(chunk)
      count += chunkRows.length
    }
    appender.closeSync()
    return count
  }

  interrupt(): void {
    this.#connection.interrupt()
  }

  close(): void {
    this.#connection.closeSync()
  }
}

const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value)

function* chunksOf<Item>(items: Iterable<Item>): Generator<Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    if (chunk.push(item) < CHUNK_ROWS) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
