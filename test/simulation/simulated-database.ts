import {
  handleOn,
  type ClicksDb,
  type DurableDb,
  type ReadDb,
  type RelaxedDb,
} from '../../src/store/handles.ts'
import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { Kysely } from 'kysely'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { SqliteWriter } from '../../src/store/sqlite/sqlite-writer.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Operation, SimulatedProcess } from './simulated-process.ts'

export type DatabaseCopy = Buffer

/** The tables of this version, empty, and one of clicks that were deleted: the simulation writes it, and it goes back with the database. */
async function emptyImage(): Promise<DatabaseCopy> {
  const database = new Database(':memory:', { strict: true })
  // A table takes a page at least, and the image is copied at every commit.
  database.run('PRAGMA page_size = 512')
  const writer = new SqliteWriter(database)
  await migrate(new Kysely<any>({ dialect: sqliteDialect(writer, 'process') }))
  await writer.settle()
  database.run('CREATE TABLE deleted_clicks AS SELECT * FROM clicks WHERE FALSE')
  const image = database.serialize()
  database.close()
  return image
}

const EMPTY: DatabaseCopy = await emptyImage()

type Options = {
  policy?: StorePolicy | undefined
  keepsCommits: boolean
  /** Links that it has from the start, and how many visitors each leads on. */
  limits: ReadonlyMap<number, number>
}

type Commit = { image: DatabaseCopy; isDurable: boolean }

/** A store that is broken on purpose, to test that the simulation detects it. */
export type StorePolicy = 'honest' | 'keeps what is rolled back'

/**
 * The real SQLite in memory behind the program's own writer and Kysely. One process at a time has a transaction, invisible to
 * others. A power failure may take every commit since the last one that waited for the disk.
 */
export class SimulatedDatabase {
  readonly #random: SeededRandom
  readonly #policy: StorePolicy
  /** Takes time, so only if a power failure or a backup is planned. */
  readonly #keepsCommits: boolean
  #database: Database
  #commits: Commit[]
  #holder: SimulatedProcess | undefined

  constructor(random: SeededRandom, { policy = 'honest', keepsCommits, limits }: Options) {
    this.#random = random
    this.#policy = policy
    this.#keepsCommits = keepsCommits
    this.#database = idle.pop() ?? open(EMPTY)
    statementOf(this.#database, WORKSPACE).run()
    statementOf(this.#database, LINK_COUNT).run(limits.size)
    for (const [id, max] of limits) statementOf(this.#database, LINK).run(id, `link-${id}`, max)
    this.#commits = [{ image: keepsCommits ? this.#database.serialize() : EMPTY, isDurable: true }]
  }

  /** The store as a process sees it, and a way to wait for all commits. */
  connect(process: SimulatedProcess): {
    store: { db: DurableDb; readDb: ReadDb; relaxedDb: RelaxedDb; clicksDb: ClicksDb }
    settle(): Promise<void>
  } {
    const writer = new SqliteWriter(this.#connection(process))
    process.atEnd(() => this.#rollBack(process))
    const store = {
      db: handleOn<DurableDb>(sqliteDialect(writer, 'full')),
      readDb: handleOn<ReadDb>(sqliteDialect(writer, 'process')),
      relaxedDb: handleOn<RelaxedDb>(sqliteDialect(writer, 'process')),
      clicksDb: handleOn<ClicksDb>(sqliteDialect(writer, 'process')),
    }
    return { store, settle: () => writer.settle() }
  }

  /** For queries between runs, when no process is left. */
  get database(): Database {
    return this.#database
  }

  losePower(): void {
    const durable = this.#commits.findLastIndex(({ isDurable }) => isDurable)
    this.restore(this.#random.pick(this.#commits.slice(durable)).image)
  }

  copy(): DatabaseCopy {
    return this.#commits.at(-1)!.image
  }

  restore(image: DatabaseCopy): void {
    this.#database.close()
    this.#database = open(image)
    this.#commits = [{ image, isDurable: true }]
  }

  close(): void {
    empty(this.#database)
    idle.push(this.#database)
  }

  /** The few methods of a connection that the writer uses. */
  #connection(process: SimulatedProcess): Database {
    let isDurable = true
    const connection = {
      run: (text: string) => {
        if (text.startsWith('PRAGMA synchronous')) isDurable = text.endsWith('FULL')
        else if (text === 'BEGIN IMMEDIATE') this.#begin(process)
        else if (text === 'COMMIT') this.#commit(process, isDurable)
        else if (text === 'ROLLBACK') this.#rollBack(process)
        else throw new Error(`The simulation does not know ${text}.`)
        return { changes: 0, lastInsertRowid: 0 }
      },
      query: (text: string) => this.#statement(process, text),
    }
    Object.defineProperty(connection, 'inTransaction', {
      get: () => !process.isGone && this.#holder === process,
    })
    return connection as Pick<Database, 'run' | 'query' | 'inTransaction'> as Database
  }

  #begin(process: SimulatedProcess): void {
    this.#call(process, 'begin', '', () => {
      this.#holder = process
      this.#database.run('BEGIN')
    })
  }

  #commit(process: SimulatedProcess, isDurable: boolean): void {
    this.#call(process, 'commit', isDurable ? 'to disk' : '', () => {
      this.#database.run('COMMIT')
      this.#holder = undefined
      if (this.#keepsCommits) this.#note(this.#database.serialize(), isDurable)
    })
  }

  #note(image: DatabaseCopy, isDurable: boolean): void {
    // SQLite writes changed pages only, and a commit that writes nothing does not wait for the disk.
    if (image.equals(this.copy())) return
    if (isDurable) this.#commits = []
    this.#commits.push({ image, isDurable })
  }

  #rollBack(process: SimulatedProcess): void {
    if (this.#holder !== process) return
    this.#database.run(this.#policy === 'honest' ? 'ROLLBACK' : 'COMMIT')
    this.#holder = undefined
  }

  #statement(process: SimulatedProcess, text: string) {
    const about = text.slice(0, 60)
    const call = <T>(act: () => T) => this.#call(process, 'statement', about, act)
    const statement = statementOf(this.#database, text)
    if (this.#policy === 'keeps what is rolled back' && text.startsWith('ROLLBACK TO'))
      return { columnNames: [], run: () => ({ changes: 0, lastInsertRowid: 0 }) }
    return {
      columnNames: statement.columnNames,
      all: (...values: SQLQueryBindings[]) => call(() => statement.all(...values)),
      run: (...values: SQLQueryBindings[]) => call(() => statement.run(...values)),
    }
  }

  #call<T>(process: SimulatedProcess, operation: Operation, about: string, act: () => T): T {
    const undo = () => this.#rollBack(process)
    return process.callNow(operation, about, {
      undo,
      act: () => {
        if (this.#holder !== undefined && this.#holder !== process)
          throw Object.assign(new Error('SQLITE_BUSY: database is locked'), { code: 'SQLITE_BUSY' })
        return act()
      },
    })
  }
}

const WORKSPACE = `INSERT INTO workspaces (id, name, plan, subscription_status, created_at)
  VALUES (1, '', 'free', 'none', 0)`
const LINK_COUNT =
  'INSERT INTO workspace_link_counts (workspace_id, shard, links, active_links) VALUES (1, 0, ?1, ?1)'
const LINK = `INSERT INTO links
  (id, workspace_id, code, svc_id, original_url, title, is_active, created_at, updated_at, max_clicks)
  VALUES (?1, 1, ?2, 'svc_' || ?2, 'https://example.com/', '', 1, 0, 0, ?3)`

/** Preparing statements takes longer than running them, so the next simulation reuses the database. */
const idle: Database[] = []

type Statements = Map<string, Statement<unknown, SQLQueryBindings[]>>
const statements = new WeakMap<Database, Statements>()

/** bun:sqlite caches 20 statements, and the program has more. */
function statementOf(database: Database, text: string): Statement<unknown, SQLQueryBindings[]> {
  const known = statements.get(database) ?? (new Map() as Statements)
  statements.set(database, known)
  const statement = known.get(text) ?? database.prepare<unknown, SQLQueryBindings[]>(text)
  known.set(text, statement)
  return statement
}

/** Except for rows that a migration has inserted. */
function empty(database: Database): void {
  const tables = statementOf(database, `SELECT name FROM pragma_table_list WHERE type = 'table'`).all()
  for (const { name } of tables as { name: string }[])
    if (!/^(sqlite_.*schema$|kysely_|.*_progress$)/.test(name))
      statementOf(database, `DELETE FROM ${name}`).run()
}

const open = (image: DatabaseCopy) => Database.deserialize(image, { strict: true })
