import { Database } from 'bun:sqlite'
import { copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openClosedClicks } from '../../../src/clicks/parquet/open-closed-clicks.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { jsonLog } from '../../../src/runtime/log.ts'
import type { MoveLocation } from '../../../src/store/move/move-location.ts'
import { type MoveDeps, moveStore } from '../../../src/store/move/move-store.ts'
import { storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import { ClickStoreRig } from '../clicks/click-store-rig.ts'
import { EVERY_TABLE } from './every-table.data.ts'
import { lacksPostgres, type PostgresServer } from './postgres-server.ts'
import { contentsOf, fillEveryTable } from './store-contents.ts'
import { temporaryFolders } from '../temporary-folders.ts'
import { testPostgres } from './test-store.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]
export const other = (engine: Engine): Engine => (engine === 'sqlite' ? 'postgres' : 'sqlite')

export type SqlitePlace = Extract<MoveLocation, { engine: 'sqlite' }>

/** Whether there is no PostgreSQL to move to. */
export const cannotMove = (): boolean => lacksPostgres('moves between engines')

/** Stores to move, full and empty ones, on either engine. */
export class MoveRig {
  readonly #folders = temporaryFolders()
  readonly #postgres: PostgresServer
  /** With rows in every table, to be copied. */
  #folder = ''
  #database = ''
  /** The same on SQLite, with clicks in files. */
  #closedFolder: Promise<string> | undefined

  private constructor(postgres: PostgresServer) {
    this.#postgres = postgres
  }

  static async start(): Promise<MoveRig> {
    const rig = new MoveRig(await testPostgres())
    rig.#folder = rig.#folders.make()
    await within({ engine: 'sqlite', dataDir: rig.#folder }, ({ db }) => fillEveryTable(db))
    const url = await rig.#postgres.makeDatabase()
    await within({ engine: 'postgres', url }, ({ db }) => fillEveryTable(db))
    rig.#database = databaseOf(url)
    return rig
  }

  remove(): void {
    this.#folders.remove()
  }

  async filledPlace(engine: Engine): Promise<MoveLocation> {
    if (engine === 'postgres') return { engine, url: await this.#postgres.makeDatabase(this.#database) }
    const dataDir = this.#folders.make()
    copyFileSync(storePath(this.#folder), storePath(dataDir))
    return { engine, dataDir }
  }

  /** A full store on SQLite: of its four clicks, the first three are in a file each, and the times of the third are merged. */
  async closedPlace(): Promise<SqlitePlace> {
    const dataDir = this.#folders.make()
    cpSync(await (this.#closedFolder ??= this.#closeClicks()), dataDir, { recursive: true })
    return { engine: 'sqlite', dataDir }
  }

  async #closeClicks(): Promise<string> {
    const { dataDir } = (await this.filledPlace('sqlite')) as SqlitePlace
    const rig = await ClickStoreRig.open(dataDir)
    const names = await rig.closeUpTo(EVERY_TABLE.clicks[2]!.id as number)
    await rig.rewrite({ names: [names[2]!], coarsens: true })
    await rig.close()
    return dataDir
  }

  async emptyPlace(engine: Engine): Promise<MoveLocation> {
    return engine === 'sqlite'
      ? { engine, dataDir: join(this.#folders.make(), 'data') }
      : { engine, url: await this.#postgres.makeDatabase() }
  }

  /** A full store on the engine, and an empty place on the other one. */
  async places(engine: Engine): Promise<[from: MoveLocation, to: MoveLocation]> {
    return [await this.filledPlace(engine), await this.emptyPlace(other(engine))]
  }

  /** One statement by hand, past all that would refuse it. */
  async byHand(place: MoveLocation, statement: string): Promise<unknown[]> {
    if (place.engine === 'postgres') return this.#postgres.run(statement, databaseOf(place.url))
    mkdirSync(place.dataDir, { recursive: true })
    const database = new Database(storePath(place.dataDir))
    try {
      return database.query(statement).all()
    } finally {
      database.close()
    }
  }
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1)

export const opened = (place: MoveLocation): Promise<Store> =>
  openStore(
    place.engine === 'sqlite' ? { dataDir: place.dataDir } : { dataDir: '', databaseUrl: place.url },
    'same-thread',
  )

export async function within<Result>(
  place: MoveLocation,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await opened(place)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

export const contents = (place: MoveLocation) => within(place, ({ db }) => contentsOf(db))

/** Without what is left behind on purpose: SQLite writes its code log again. */
export const withoutCodeLog = (of: [string, unknown[]][]) => of.filter(([table]) => table !== 'code_log')

/** Reads click files by an engine. */
const moveDeps: MoveDeps = {
  clock: systemClock,
  report() {},
  openClosedClicks: (dataDir) =>
    openClosedClicks(dataDir, { clock: systemClock, log: jsonLog('silent', 'test') }),
}

export const move = (from: MoveLocation, to: MoveLocation, deps: Partial<MoveDeps> = {}) =>
  moveStore({ ...moveDeps, ...deps }, { from, to })

/** A move, and something else when all is written and nothing is compared yet. */
export const moveWith = (from: MoveLocation, to: MoveLocation, work: () => Promise<void>) =>
  move(from, to, { report: ({ step }) => (step === 'filled' ? work() : undefined) })

/** As an operator names it. */
export const nameFor = (place: MoveLocation) =>
  place.engine === 'sqlite' ? `sqlite:${place.dataDir}` : place.url

export const refusalOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: Error) => error,
  )
