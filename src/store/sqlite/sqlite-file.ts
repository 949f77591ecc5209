import { Database, type SQLQueryBindings } from 'bun:sqlite'

/** Earlier versions can corrupt a WAL database that several connections write to (the WAL-reset bug). */
const SQLITE_VERSION_MIN = [3, 51, 3] as const
const BUSY_TIMEOUT_MS = 15_000
const WAL_TRIES_MAX = 100
const WAL_RETRY_MS = 20
/** Bun keeps 20, fewer than a creation of links has: to prepare those that insert 64 rows takes longer than to run them. */
const STATEMENTS_KEPT = 100

Database.MAX_QUERY_CACHE_SIZE = STATEMENTS_KEPT

/** Opens the file for reading and writing, with the settings that every connection needs. */
export function openSqliteFile(path: string): Database {
  assertVersion()
  const database = new Database(path, { create: true, readwrite: true, strict: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  useWal(database)
  database.run('PRAGMA foreign_keys = ON')
  database.run('PRAGMA synchronous = FULL')
  // Salts and the rows of deleted accounts must be erased from the file, not only unlinked.
  database.run('PRAGMA secure_delete = FAST')
  database.run('PRAGMA cache_size = -16384')
  // A batch of clicks changes thousands of pages, and the next batch many of the same: checkpoint every 32 MB.
  database.run('PRAGMA wal_autocheckpoint = 8000')
  return database
}

/** A read-only handle. It sees what has been committed, and writers never wait for it. */
export function openSqliteReader(path: string): Database {
  const database = new Database(path, { readonly: true, strict: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.run('PRAGMA query_only = ON')
  database.run('PRAGMA cache_size = -16384')
  return database
}

const statementsWithRows = new WeakMap<object, boolean>()

/** Runs one statement. Returns its rows, or how many rows it changed. */
export function runStatement(database: Database, text: string, parameters: readonly unknown[]) {
  const statement = database.query(text)
  // SQLite refuses any other type.
  const values = parameters as SQLQueryBindings[]
  let returnsRows = statementsWithRows.get(statement)
  // Bun makes a list of the names each time.
  if (returnsRows === undefined)
    statementsWithRows.set(statement, (returnsRows = statement.columnNames.length > 0))
  if (returnsRows) return { rows: statement.all(...values) as Record<string, unknown>[] }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** On a database in memory: a statement on the file could find it locked before the busy timeout is set. */
function assertVersion(): void {
  const database = new Database(':memory:')
  const { version } = database.query('SELECT sqlite_version() AS version').get() as { version: string }
  database.close()
  const parts = version.split('.').map(Number)
  const difference = SQLITE_VERSION_MIN.map((least, i) => (parts[i] ?? 0) - least).find((d) => d !== 0) ?? 0
  if (difference < 0) {
    throw new Error(`Tern needs SQLite ${SQLITE_VERSION_MIN.join('.')} or newer, this is ${version}.`)
  }
}

/** When several processes open a new file at once, this fails with SQLITE_BUSY regardless of the busy timeout. */
function useWal(database: Database): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.run('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || attempt === WAL_TRIES_MAX) throw error
      Bun.sleepSync(WAL_RETRY_MS)
    }
  }
}
