import { Database } from 'bun:sqlite'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIMENSIONS } from '../../../src/store/click-dimensions.ts'
import { FACT_COLUMNS } from '../../../src/clicks/facts/fact-columns.ts'
import {
  deleteRemovedFiles,
  enterClosed,
  enterRewritten,
  listClickFiles,
} from '../../../src/clicks/parquet/click-files.ts'
import { realFiles } from '../../../src/clicks/journal/files.ts'
import type { ClickQuery } from '../../../src/clicks/queries/click-query.ts'
import { DuckDb } from '../../../src/clicks/parquet/duckdb.ts'
import type { CallEngine } from '../../../src/clicks/parquet/engine-calls.ts'
import {
  CLICK_ENGINE_COMMAND,
  EngineProcess,
  engineCommand,
} from '../../../src/clicks/parquet/engine-process.ts'
import type { Rewriting } from '../../../src/clicks/parquet/rewrite-files.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Log } from '../../../src/runtime/log.ts'
import { clicksFolder, openSqliteStore, storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { transact } from '../../../src/store/transact.ts'
import { childrenOf } from '../../../bench/rigs/measure.ts'
import { usePerTest } from '../use-rig.ts'
import { aFact, type FactRow } from './fact-rows.ts'

export type Fact = Record<'id', number> & Omit<FactRow, 'id'>

/** For tests, which run on a busy machine. */
const QUERY_MS_MAX = 120_000

/** Take longer to group than an engine takes to be interrupted. */
export const LONG_FILE_ROWS = 2_000_000

export const START_US = Date.UTC(2026, 3, 20, 12) * 1000

/** A data folder with a store whose table `clicks` has facts, and an engine on it. */
export class ClickStoreRig {
  readonly dataDir: string
  readonly folder: string
  readonly store: Store
  readonly database: Database
  readonly logged: string[] = []
  engine: EngineProcess
  #lastId = 0

  private constructor(dataDir: string, store: Store) {
    this.dataDir = dataDir
    this.folder = clicksFolder(dataDir)
    this.store = store
    this.database = new Database(storePath(dataDir), { strict: true })
    this.database.run('PRAGMA busy_timeout = 10000')
    this.engine = this.newEngine()
  }

  static async open(dataDir: string): Promise<ClickStoreRig> {
    const store = await openSqliteStore(dataDir, 'same-thread')
    mkdirSync(clicksFolder(dataDir), { recursive: true })
    return new ClickStoreRig(dataDir, store)
  }

  async close(): Promise<void> {
    await this.engine.close()
    this.database.close()
    await this.store.close()
  }

  killEngine(): void {
    for (const pid of this.engineProcesses()) process.kill(pid, 'SIGKILL')
  }

  /** Those of this data folder that this process has started. */
  engineProcesses(): number[] {
    return childrenOf(process.pid).filter((pid) => {
      const words = commandLine(pid)
      return words.includes(CLICK_ENGINE_COMMAND) && words.includes(this.dataDir)
    })
  }

  /** After `close`. */
  reopened(): Promise<ClickStoreRig> {
    return ClickStoreRig.open(this.dataDir)
  }

  newEngine(options: Partial<ConstructorParameters<typeof EngineProcess>[0]> = {}): EngineProcess {
    const write = (message: string) => void this.logged.push(message)
    const log = { debug: write, info: write, warn: write, error: write } as unknown as Log
    return new EngineProcess({
      command: engineCommand(this.dataDir),
      clock: systemClock,
      log,
      ...options,
    })
  }

  /** Returns them with their ids. */
  add(facts: Partial<FactRow>[]): Fact[] {
    const columns = ['id', ...FACT_COLUMNS]
    const insert = this.database.prepare(
      `INSERT INTO clicks (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    const rows = facts.map((fact) => ({ ...aFact({ clicked_at: START_US, ...fact }), id: ++this.#lastId }))
    this.database.transaction(() => {
      for (const row of rows) insert.run(...columns.map((name) => row[name as keyof Fact]))
    })()
    return rows
  }

  /** Of links with a click each: by default enough for a query to take a while. */
  async addLongFile(rows = LONG_FILE_ROWS): Promise<void> {
    const name = '2026-04-20-0193b1c0-0000-7000-8000-000000000000.parquet'
    const duckDb = await DuckDb.open(join(this.folder, 'tmp'))
    const connection = await duckDb.connect()
    const texts = DIMENSIONS.map((column) => `'' AS "${column}"`)
    await connection.all(
      `COPY (SELECT 1::BIGINT AS workspace_id, range AS link_id, ${START_US}::BIGINT AS clicked_at, ${texts},
         1 AS clicks, 1 AS visitors, 1 AS workspace_visitors, 0 AS bots FROM range(${rows})) TO $1 (FORMAT parquet)`,
      [join(this.folder, name)],
    )
    duckDb.close()
    this.database.run('INSERT INTO click_files (name, from_us, to_us, rows, sha256) VALUES (?, ?, ?, ?, ?)', [
      name,
      START_US,
      START_US + 1,
      rows,
      '',
    ])
  }

  /** With more time for queries than a server gives them. */
  readonly callEngine: CallEngine = (name, input, signal) =>
    this.engine.call(name, { ...input, msMax: QUERY_MS_MAX }, signal)

  async query(query: Partial<ClickQuery> & Pick<ClickQuery, 'groups'>, signal?: AbortSignal) {
    const { files: _, ...answer } = await this.engine.call(
      'query',
      { query: { fromUs: 0, toUs: 4e15, ...query }, msMax: QUERY_MS_MAX },
      signal,
    )
    return answer
  }

  /** Clicks of the whole store, wherever they are. */
  async total(): Promise<number> {
    const { groups } = await this.query({ groups: [{ by: [] }] })
    return groups[0]![0]!.clicks
  }

  /** All clicks up to now, or up to this id. */
  async closeUpTo(upToId = this.#lastId): Promise<string[]> {
    const files = await this.engine.call('closeClicks', { upToId })
    await transact(this.store.relaxedDb, (tx) => enterClosed(tx, { upToId, files }))
    return files.map(({ name }) => name)
  }

  /** `before`: what happens once the file is written, and before it counts. */
  async rewrite(
    rewriting: Rewriting,
    { nowUs = START_US, before }: { nowUs?: number; before?: () => Promise<unknown> } = {},
  ): Promise<string | undefined> {
    const file = await this.engine.call('rewriteFiles', rewriting)
    await before?.()
    const { names, forgotten } = rewriting
    await transact(this.store.relaxedDb, (tx) => enterRewritten(tx, { names, file, nowUs, forgotten }))
    return file?.name
  }

  deleteRemoved(beforeUs: number) {
    return deleteRemovedFiles(this.store.db, { files: realFiles, folder: this.folder, beforeUs })
  }

  files() {
    return listClickFiles(this.store.db)
  }
}

/** A new rig for each test. */
export const useClickStore = () =>
  usePerTest(
    async (dataDir) => ({ rig: await ClickStoreRig.open(dataDir) }),
    ({ rig }) => rig.close(),
  )

/** Its words; none if it has ended. */
function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
