import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { DIMENSIONS, type Dimension } from '../../../src/clicks/facts/dimensions.ts'
import { COUNT_COLUMNS, FACT_COLUMNS } from '../../../src/clicks/facts/fact-columns.ts'
import {
  deleteRemovedFiles,
  enterClosed,
  enterRewritten,
  listClickFiles,
} from '../../../src/clicks/parquet/click-files.ts'
import type { ClickQuery } from '../../../src/clicks/queries/click-query.ts'
import { EngineProcess, engineCommand } from '../../../src/clicks/parquet/engine-process.ts'
import type { Rewriting } from '../../../src/clicks/parquet/rewrite-files.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Log } from '../../../src/runtime/log.ts'
import { clicksFolder, openSqliteStore, storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { transact } from '../../../src/store/transact.ts'
import { childrenOf } from '../../../bench/rigs/measure.ts'
import { usePerTest } from '../use-rig.ts'

export type Fact = { id: number; workspace_id: number; link_id: number; clicked_at: number } & Record<
  Dimension,
  string
> &
  Record<(typeof COUNT_COLUMNS)[number], number>

/** For tests, which run on a busy machine. */
const QUERY_MS_MAX = 120_000

export const START_US = Date.UTC(2026, 3, 20, 12) * 1000

/** Columns with their defaults: a first visit that nothing is known about. */
const plainFact = (id: number): Fact => ({
  id,
  workspace_id: 1,
  link_id: 1,
  clicked_at: START_US,
  ...(Object.fromEntries(DIMENSIONS.map((name) => [name, ''])) as Record<Dimension, string>),
  clicks: 1,
  visitors: 1,
  workspace_visitors: 1,
  bots: 0,
})

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

  /** SIGKILL to every process that this one has started, which are engines. */
  killEngine(): void {
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL')
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
  add(facts: Partial<Fact>[], table = 'clicks'): Fact[] {
    const columns = ['id', ...FACT_COLUMNS]
    const insert = this.database.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    const rows = facts.map((fact) => ({ ...plainFact(++this.#lastId), ...fact }))
    this.database.transaction(() => {
      for (const row of rows) insert.run(...columns.map((name) => row[name as keyof Fact]))
    })()
    return rows
  }

  query(query: Partial<ClickQuery> & Pick<ClickQuery, 'groups'>, signal?: AbortSignal) {
    return this.engine.call(
      'query',
      { query: { fromUs: 0, toUs: 4e15, ...query }, msMax: QUERY_MS_MAX },
      signal,
    )
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

  async rewrite(rewriting: Rewriting, nowUs = START_US): Promise<string | undefined> {
    const file = await this.engine.call('rewriteFiles', rewriting)
    await transact(this.store.relaxedDb, (tx) => enterRewritten(tx, { names: rewriting.names, file, nowUs }))
    return file?.name
  }

  deleteRemoved(beforeUs: number) {
    return transact(this.store.relaxedDb, (tx) => deleteRemovedFiles(tx, { folder: this.folder, beforeUs }))
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
