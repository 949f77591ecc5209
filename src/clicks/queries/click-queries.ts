import { sql } from 'kysely'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Log } from '../../runtime/log.ts'
import type { CurrentDb, ReadOnlyDb } from '../../store/handles.ts'
import { isTimeLimit } from '../../store/store-errors.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { checkClickTable, countedBatches, prepareClickTable } from '../clickhouse/click-table.ts'
import { queryBatches, queryClickHouse } from '../clickhouse/query-clickhouse.ts'
import type { MovedClicks, MovedPlace } from '../deletion/moved-clicks.ts'
import { listClickFiles } from '../parquet/click-files.ts'
import type { CallEngine, EngineAnswer, EngineQuery } from '../parquet/engine-calls.ts'
import { EngineError, type EngineErrorCode } from '../parquet/engine-error.ts'
import { HAS_MANY_OPEN } from '../parquet/open-clicks.ts'
import type { ClickQuery, ClickRow } from './click-query.ts'
import { queryTable } from './query-table.ts'

/** A report of the range takes less, on a machine that has nothing else to do. */
const QUERY_MS_MAX = 10_000
const RETRY_SECONDS = 5

const ALL_TIMES = { fromUs: Number.MIN_SAFE_INTEGER, toUs: Number.MAX_SAFE_INTEGER }

type Sentences = { readonly [Code in EngineErrorCode]?: string }

const TOO_LARGE =
  'The range has more different values than fit into the memory of reports. Choose a shorter range, or fewer links.'

/** Of errors that are no bug. */
const SENTENCES: Sentences = {
  away: 'Reports are being restarted. Clicks are counted, and shown in a few seconds.',
  closing: 'Clicks are being moved into files, as after an upgrade. Reports are answered when that is done.',
  timeout: `The report took longer than ${QUERY_MS_MAX / 1000} seconds. Try again later, or with a shorter range.`,
  unsupported: 'Older clicks are in files that this server cannot read: DuckDB does not run on its platform.',
}

const CLICKHOUSE_SENTENCES: Sentences = {
  ...SENTENCES,
  away: 'ClickHouse does not answer at the moment. Clicks are counted, and shown when it does.',
  closing: 'Clicks are being moved to ClickHouse. Reports are answered when that is done.',
}

/** The error itself if it is a bug. */
function refusalOf(error: unknown, sentences: Sentences): unknown {
  if (error instanceof EngineError && error.code === 'too-large') return invalid({ from: [TOO_LARGE] })
  const sentence = error instanceof EngineError ? sentences[error.code] : undefined
  if (sentence === undefined) return error
  return new Refusal('store_unavailable', sentence, { retryAfterSeconds: RETRY_SECONDS })
}

/** Of PostgreSQL alone, which has all clicks in a table. */
function refuseTimeLimit(error: unknown): never {
  if (!isTimeLimit(error)) throw error
  throw invalid({
    from: [
      'The range has more clicks than the database adds up within its time limit. Choose a shorter range; or the operator sets CLICKHOUSE_URL, for ranges of any length.',
    ],
  })
}

type ClickQueriesDeps = {
  /** For what is kept counted, and for clicks in the table. */
  db: ReadOnlyDb
  /** For clicks in files; undefined where there are none. */
  callEngine?: CallEngine | undefined
  /** For clicks that were moved there; undefined without one. */
  clickHouse?: ClickHouse | undefined
  log: Log
}

/** Answers queries about clicks. As long as no file has any of them, no engine is started. */
export class ClickQueries {
  readonly db: ReadOnlyDb
  readonly #callEngine: CallEngine | undefined
  readonly #clickHouse: ClickHouse | undefined
  #isPrepared = false
  readonly #log: Log
  /** Those that were logged. */
  readonly #unreadable = new Set<string>()

  constructor({ db, callEngine, clickHouse, log }: ClickQueriesDeps) {
    this.db = db
    this.#callEngine = callEngine
    this.#clickHouse = clickHouse
    this.#log = log
  }

  /** The rows of each group. */
  async answer(query: ClickQuery): Promise<ClickRow[][]> {
    if (this.#clickHouse !== undefined) return this.#answerByClickHouse(this.#clickHouse, query)
    const callEngine = this.#callEngine
    if (callEngine === undefined) return queryTable(this.db, query).catch(refuseTimeLimit)
    if (await this.#hasFiles(query)) return this.#answerByEngine(callEngine, query)
    if (await this.#hasManyOpen()) return this.#answerByEngine(callEngine, query, { isInTable: true })
    const groups = await queryTable(this.db, query)
    // Some may have been moved from the table into a file between the two statements.
    return (await this.#hasFiles(query)) ? this.#answerByEngine(callEngine, query) : groups
  }

  /** Starts the engine before a report needs it, which would wait for most of a second. */
  async wake(): Promise<void> {
    if (this.#callEngine !== undefined && (await this.#hasFiles(ALL_TIMES)))
      await this.#callEngine('prepare', {})
  }

  /** The rows of each group, of the clicks that are not in the table. The handle must not be behind. */
  async answerMoved(db: CurrentDb, query: ClickQuery): Promise<MovedClicks> {
    const clickHouse = this.#clickHouse
    const callEngine = this.#callEngine
    if (clickHouse !== undefined) return this.#answerBatches(clickHouse, db, query)
    if (callEngine === undefined) return { groups: [], place: { kind: 'none' } }
    if ((await listClickFiles(db)).length === 0) return { groups: [], place: { kind: 'files', names: [] } }
    try {
      const { groups, files } = await this.#callForQuery(callEngine, { query, isOfFiles: true })
      return { groups, place: { kind: 'files', names: files } }
    } catch (error) {
      throw refusalOf(error, SENTENCES)
    }
  }

  async #answerBatches(clickHouse: ClickHouse, db: CurrentDb, query: ClickQuery): Promise<MovedClicks> {
    const batches = await countedBatches(db)
    const place: MovedPlace = { kind: 'batches', batch: batches.batch }
    if (batches.batch === 0) return { groups: [], place }
    try {
      await checkClickTable(clickHouse, db)
      const clicks = { ...batches, rows: [] }
      return { groups: await queryBatches({ clickHouse, msMax: QUERY_MS_MAX }, query, clicks), place }
    } catch (error) {
      throw refusalOf(error, CLICKHOUSE_SENTENCES)
    }
  }

  async #answerByClickHouse(clickHouse: ClickHouse, query: ClickQuery): Promise<ClickRow[][]> {
    try {
      if (!this.#isPrepared) await prepareClickTable(clickHouse, this.db)
      this.#isPrepared = true
      return await queryClickHouse({ db: this.db, clickHouse, msMax: QUERY_MS_MAX }, query)
    } catch (error) {
      throw refusalOf(error, CLICKHOUSE_SENTENCES)
    }
  }

  async #hasFiles({ fromUs, toUs }: Pick<ClickQuery, 'fromUs' | 'toUs'>): Promise<boolean> {
    const { rows } = await sql`SELECT 1 FROM click_files
      WHERE removed_at IS NULL AND from_us < ${toUs} AND to_us > ${fromUs} LIMIT 1`.execute(this.db)
    return rows.length > 0
  }

  async #hasManyOpen(): Promise<boolean> {
    const { rows } = await sql`SELECT 1 WHERE ${sql.raw(HAS_MANY_OPEN)}`.execute(this.db)
    return rows.length > 0
  }

  async #answerByEngine(
    callEngine: CallEngine,
    query: ClickQuery,
    { isInTable = false } = {},
  ): Promise<ClickRow[][]> {
    try {
      return (await this.#callForQuery(callEngine, { query })).groups
    } catch (error) {
      // All clicks stay there then, and SQL takes as long as it takes.
      if (isInTable && error instanceof EngineError && error.code === 'unsupported')
        return queryTable(this.db, query)
      throw refusalOf(error, SENTENCES)
    }
  }

  async #callForQuery(callEngine: CallEngine, query: Omit<EngineQuery, 'msMax'>): Promise<EngineAnswer> {
    const answer = await callEngine('query', { ...query, msMax: QUERY_MS_MAX })
    this.#logUnreadable(answer.unreadableFiles)
    return answer
  }

  #logUnreadable(files: readonly string[]): void {
    const unlogged = files.filter((name) => !this.#unreadable.has(name))
    if (unlogged.length === 0) return
    for (const name of unlogged) this.#unreadable.add(name)
    this.#log.error('Files of clicks are gone or damaged: their clicks are missing in reports.', {
      files: unlogged.join(', '),
    })
  }
}
