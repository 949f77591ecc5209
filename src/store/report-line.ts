import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

/** What goes over the line to the report thread and comes back. */
export type ReportRequest = { id: number; text: string; parameters: readonly unknown[] }
export type ReportMessage = { path: string } | ReportRequest | 'close'
export type ReportAnswer =
  { id: number; rows: Record<string, unknown>[] } | { id: number; error: string } | 'closed'

/** The thread may be in the middle of a long report. */
const CLOSE_MS_MAX = 2_000

type Waiting = { resolve(rows: unknown[]): void; reject(error: Error): void }

/**
 * Kysely's driver for the report thread: lists, searches and analytics run there on a read-only handle, so that a
 * long one delays neither a visitor nor a write. Single statements only; each sees what was committed before it.
 */
export class ReportLine implements Driver, DatabaseConnection {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #closed = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<Error>()
  #lastId = 0
  /** Why nothing is answered any more. */
  #failure: Error | undefined

  constructor(path: string) {
    this.#worker = new Worker(new URL('./report-thread.ts', import.meta.url).href)
    this.#worker.onmessage = (event: MessageEvent<ReportAnswer>) => this.#settle(event.data)
    this.#worker.onerror = (event) => {
      const failure = new Error(`The report thread failed: ${event.message}`)
      this.#failAll(failure)
      this.#closed.resolve()
      this.#failed.resolve(failure)
    }
    this.#post({ path })
  }

  /** Resolves, with the reason, only when the thread has failed. */
  get failed(): Promise<Error> {
    return this.#failed.promise
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#failure !== undefined) throw this.#failure
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
    this.#waiting.set(id, { resolve, reject })
    this.#post({ id, text: query.sql, parameters: query.parameters })
    return { rows: (await promise) as Row[] }
  }

  /** The thread closes its handle first: were that the last one, SQLite's side files would stay, as it only reads. */
  async destroy(): Promise<void> {
    const hasFailed = this.#failure !== undefined
    this.#failAll(new Error('The store is closed.'))
    if (hasFailed) return
    this.#post('close')
    const timer = setTimeout(() => this.#closed.resolve(), CLOSE_MS_MAX)
    await this.#closed.promise
    clearTimeout(timer)
    this.#worker.terminate()
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('Reports do not write: use the writing handle for a transaction.')
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed from SQLite: ask for a page.')
  }

  #post(message: ReportMessage): void {
    this.#worker.postMessage(message)
  }

  #settle(answer: ReportAnswer): void {
    if (answer === 'closed') return this.#closed.resolve()
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('error' in answer) waiting?.reject(new Error(answer.error))
    else waiting?.resolve(answer.rows)
  }

  #failAll(error: Error): void {
    this.#failure = error
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
  }
}
