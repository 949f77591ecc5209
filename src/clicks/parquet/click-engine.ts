import { existsSync } from 'node:fs'
import { openSqliteReader } from '../../store/sqlite/sqlite-file.ts'
import type { ClickQuery, ClickRow } from '../queries/click-query.ts'
import { closeClicks } from './close-clicks.ts'
import { DuckDb, type DuckDbConnection } from './duckdb.ts'
import type { ForgottenLinks } from './click-files.ts'
import type { EngineAnswer, EngineApi, EngineMethods, EngineQuery } from './engine-calls.ts'
import { EngineError } from './engine-error.ts'
import { OPEN_CLICKS, OpenClicks, type SqliteReader } from './open-clicks.ts'
import { readFacts } from './read-facts.ts'
import { sumFiles } from './sum-files.ts'
import { compileQuery, NO_OPEN_CLICKS } from './compile-query.ts'
import { filesWith, rewriteFiles } from './rewrite-files.ts'

/** Each uses DuckDB's threads, so that more would only share them. `#alone` takes both. */
const RUNNING_MAX = 2
/** An interrupt between two steps of a statement does nothing. */
const INTERRUPT_MS = 20

/** `memoryMax`: in DuckDB's words. Only tests pass it. */
type EnginePlace = { database: string; temporaryFolder: string; memoryMax?: string }

/** `within`: files whose clicks are all in the time of the query. `rows`: of the files and the open part. */
type Snapshot = {
  files: string[]
  missing: string[]
  forgotten: ForgottenLinks
  within: ReadonlySet<string>
  rows: number
}

type FileRow = [name: string, forgottenLinks: string, rows: number, isWithin: number]

/** `isInParts`: one group after the other, which takes longer and less memory. */
type Question = Omit<EngineQuery, 'msMax'> & { isInParts?: boolean }

const partsOf = (query: ClickQuery): ClickQuery[] =>
  query.groups.map((group) => ({ ...query, groups: [group] }))

const isOutOfMemory = (error: unknown): boolean =>
  /Out of Memory Error|(?:could not|failed to) allocate/.test(String(error))

/** Answers queries from files and open clicks, and writes files. Runs in the folder of the files, in a process of its own. */
export class ClickEngine implements EngineMethods {
  readonly #duckDb: DuckDb
  readonly #database: SqliteReader
  readonly #openClicks: OpenClicks
  readonly #connections: DuckDbConnection[]
  /** Those that wait for a connection. */
  readonly #waiting: ((connection: DuckDbConnection) => void)[] = []
  #lastSnapshot: Promise<unknown> = Promise.resolve()
  #lastAlone: Promise<unknown> = Promise.resolve()

  private constructor(parts: {
    duckDb: DuckDb
    database: SqliteReader
    openClicks: OpenClicks
    connections: DuckDbConnection[]
  }) {
    this.#duckDb = parts.duckDb
    this.#database = parts.database
    this.#openClicks = parts.openClicks
    this.#connections = parts.connections
  }

  static async open({ temporaryFolder, memoryMax, ...paths }: EnginePlace): Promise<ClickEngine> {
    const duckDb = await DuckDb.open(temporaryFolder, memoryMax)
    const database = openSqliteReader(paths.database)
    const openClicks = await OpenClicks.create(await duckDb.connect(), database)
    const connections = await Promise.all(Array.from({ length: RUNNING_MAX }, () => duckDb.connect()))
    return new ClickEngine({ duckDb, database, openClicks, connections })
  }

  async query({ msMax, ...question }: EngineQuery, caller: AbortSignal): Promise<EngineAnswer> {
    const signal = AbortSignal.any([caller, AbortSignal.timeout(msMax)])
    try {
      return await this.#inTurn((connection) => this.#answer(question, connection, signal)).catch((error) => {
        if (!isOutOfMemory(error)) throw error
        return this.#alone((connection) => this.#answer({ ...question, isInParts: true }, connection, signal))
      })
    } catch (error) {
      if (caller.aborted) throw new EngineError('canceled', 'The query was given up.', { cause: error })
      if (signal.aborted)
        throw new EngineError('timeout', `The query took longer than ${msMax} ms.`, { cause: error })
      if (isOutOfMemory(error))
        throw new EngineError('too-large', 'The query takes more memory than there is.', { cause: error })
      throw error
    }
  }

  prepare(): Promise<void> {
    return this.#oneByOne(async () => void (await this.#follow({ fromUs: 0, toUs: 0 })))
  }

  closeClicks({ upToId }: EngineApi['closeClicks']['input']) {
    return this.#onNewConnection((connection) => closeClicks(connection, this.#database, upToId))
  }

  rewriteFiles(rewriting: EngineApi['rewriteFiles']['input']) {
    return this.#onNewConnection((connection) => rewriteFiles(connection, rewriting))
  }

  sumFiles(input: EngineApi['sumFiles']['input']) {
    return this.#onNewConnection((connection) => sumFiles(connection, input))
  }

  filesWith(input: EngineApi['filesWith']['input']) {
    return this.#onNewConnection((connection) => filesWith(connection, input))
  }

  readFacts(page: EngineApi['readFacts']['input']) {
    return this.#inTurn((connection) => readFacts(connection, page))
  }

  /** Begins once more without the files that DuckDB complains about. */
  async #answer(
    question: Question,
    connection: DuckDbConnection,
    signal: AbortSignal,
    damaged: readonly string[] = [],
  ): Promise<EngineAnswer> {
    const { query, isOfFiles = false, isInParts = false } = question
    const { files, missing, ...scan } = await this.#beginSnapshot(query, connection, signal)
    const readable = files.filter((name) => !damaged.includes(name))
    let complaints: string[] = []
    let timer: Timer | undefined
    const interrupt = () => (timer = setInterval(() => connection.interrupt(), INTERRUPT_MS))
    signal.addEventListener('abort', interrupt, { once: true })
    try {
      signal.throwIfAborted()
      const from = isOfFiles ? NO_OPEN_CLICKS : OPEN_CLICKS
      const groups: ClickRow[][] = []
      for (const part of isInParts ? partsOf(query) : [query]) {
        const { text, values, groupsOf } = compileQuery(part, readable, { from, ...scan })
        groups.push(...groupsOf(await connection.all(text, values)))
      }
      return {
        groups,
        files: [...files, ...missing].sort(),
        unreadableFiles: [...missing, ...damaged].sort(),
      }
    } catch (error) {
      complaints = readable.filter((name) => String(error).includes(name))
      if (complaints.length === 0) throw error
    } finally {
      signal.removeEventListener('abort', interrupt)
      clearInterval(timer)
      await connection.all('ROLLBACK')
    }
    return this.#answer(question, connection, signal, [...damaged, ...complaints])
  }

  /** The table in memory has the rows of exactly one transaction of SQLite when a snapshot begins. */
  #beginSnapshot(query: ClickQuery, connection: DuckDbConnection, signal: AbortSignal): Promise<Snapshot> {
    return this.#oneByOne(async () => {
      signal.throwIfAborted()
      const parts = await this.#follow(query)
      await connection.all('BEGIN TRANSACTION READ ONLY')
      // DuckDB takes the snapshot at the first read.
      await connection.all(`SELECT 1 FROM ${OPEN_CLICKS} LIMIT 1`)
      return parts
    })
  }

  /** What reads or changes the open part. */
  #oneByOne<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastSnapshot.then(work)
    this.#lastSnapshot = result.catch(() => {})
    return result
  }

  async #follow({ fromUs, toUs }: Pick<ClickQuery, 'fromUs' | 'toUs'>): Promise<Snapshot> {
    this.#database.run('BEGIN')
    try {
      const fileRows = this.#database
        .query(
          `SELECT name, forgotten_links, rows, from_us >= ? AND to_us <= ? FROM click_files
           WHERE removed_at IS NULL AND from_us < ? AND to_us > ? ORDER BY name`,
        )
        .values(fromUs, toUs, toUs, fromUs) as FileRow[]
      await this.#openClicks.follow()
      const names = fileRows.map(([name]) => name)
      return {
        files: names.filter((name) => existsSync(name)),
        missing: names.filter((name) => !existsSync(name)),
        forgotten: Object.fromEntries(fileRows.map(([name, ids]) => [name, JSON.parse(ids)])),
        within: new Set(fileRows.flatMap(([name, , , isWithin]) => (isWithin === 1 ? [name] : []))),
        rows: fileRows.reduce((sum, [, , ofFile]) => sum + ofFile, this.#openClicks.rows),
      }
    } finally {
      this.#database.run('COMMIT')
    }
  }

  /** With all the memory, while no other query is answered. */
  async #alone<Result>(work: (connection: DuckDbConnection) => Promise<Result>): Promise<Result> {
    const result = this.#lastAlone.then(() =>
      this.#inTurn((connection) => this.#inTurn(() => work(connection))),
    )
    this.#lastAlone = result.catch(() => {})
    return result
  }

  /** With temporary tables of its own. */
  async #onNewConnection<Result>(work: (connection: DuckDbConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.#duckDb.connect()
    try {
      return await work(connection)
    } finally {
      connection.close()
    }
  }

  /** As soon as one of the few connections is free. */
  async #inTurn<Result>(work: (connection: DuckDbConnection) => Promise<Result>): Promise<Result> {
    const connection =
      this.#connections.pop() ??
      (await new Promise<DuckDbConnection>((resolve) => this.#waiting.push(resolve)))
    try {
      return await work(connection)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#connections.push(connection)
      else next(connection)
    }
  }
}
