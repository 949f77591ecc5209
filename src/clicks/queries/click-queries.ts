import { sql } from 'kysely'
import { Refusal } from '../../errors/refusal.ts'
import type { Log } from '../../runtime/log.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import type { CallEngine } from '../parquet/engine-calls.ts'
import { EngineError, type EngineErrorCode } from '../parquet/engine-error.ts'
import { HAS_MANY_OPEN } from '../parquet/open-clicks.ts'
import type { ClickQuery, ClickRow } from './click-query.ts'
import { queryTable } from './query-table.ts'

/** A report of the range takes less, on a machine that has nothing else to do. */
const QUERY_MS_MAX = 10_000
const RETRY_SECONDS = 5

/** Of errors that are no bug. */
const SENTENCES: { readonly [Code in EngineErrorCode]?: string } = {
  away: 'Reports are being restarted. Clicks are counted, and shown in a few seconds.',
  closing: 'Clicks are being moved into files, as after an upgrade. Reports are answered when that is done.',
  timeout: `The report took longer than ${QUERY_MS_MAX / 1000} seconds. Try again later, or with a shorter range.`,
  unsupported: 'Older clicks are in files that this server cannot read: DuckDB does not run on its platform.',
}

function refusalOf(code: EngineErrorCode): Refusal | undefined {
  const sentence = SENTENCES[code]
  if (sentence === undefined) return undefined
  return new Refusal('store_unavailable', sentence, { retryAfterSeconds: RETRY_SECONDS })
}

type ClickQueriesDeps = {
  /** For what is kept counted, and for clicks in the table. */
  db: ReadOnlyDb
  /** For clicks in files; undefined where there are none. */
  callEngine?: CallEngine | undefined
  log: Log
}

/** Answers queries about clicks. As long as no file has any of them, no engine is started. */
export class ClickQueries {
  readonly db: ReadOnlyDb
  readonly #callEngine: CallEngine | undefined
  readonly #log: Log
  /** Those that were logged. */
  readonly #unreadable = new Set<string>()

  constructor({ db, callEngine, log }: ClickQueriesDeps) {
    this.db = db
    this.#callEngine = callEngine
    this.#log = log
  }

  /** The rows of each group. */
  async answer(query: ClickQuery): Promise<ClickRow[][]> {
    const callEngine = this.#callEngine
    if (callEngine === undefined) return queryTable(this.db, query)
    if (await this.#hasFiles(query)) return this.#answerByEngine(callEngine, query)
    if (await this.#hasManyOpen()) return this.#answerByEngine(callEngine, query, { isInTable: true })
    const groups = await queryTable(this.db, query)
    // Some may have been moved from the table into a file between the two statements.
    return (await this.#hasFiles(query)) ? this.#answerByEngine(callEngine, query) : groups
  }

  async #hasFiles({ fromUs, toUs }: ClickQuery): Promise<boolean> {
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
      const { groups, unreadableFiles } = await callEngine('query', { query, msMax: QUERY_MS_MAX })
      this.#logUnreadable(unreadableFiles)
      return groups
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      // All clicks stay there then, and SQL takes as long as it takes.
      if (error.code === 'unsupported' && isInTable) return queryTable(this.db, query)
      throw refusalOf(error.code) ?? error
    }
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
