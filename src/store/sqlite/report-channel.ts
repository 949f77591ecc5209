import type { CompiledQuery, QueryResult } from 'kysely'
import { PendingReplies } from '../../runtime/pending-replies.ts'
import { Thread } from '../../runtime/thread.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { StoreConnection } from '../kysely-driver.ts'

export type ToReportThread =
  | { kind: 'open'; path: string }
  | { kind: 'query'; id: number; text: string; parameters: readonly unknown[] }
  | { kind: 'stop' }
export type FromReportThread =
  | { kind: 'rows'; id: number; rows: Record<string, unknown>[] }
  | { kind: 'error'; id: number; error: string; code: unknown }

/** The thread may be in the middle of a long report. */
const STOP_MS_MAX = 2_000

/**
 * Runs statements on the report thread: lists, searches and analytics, on a read-only handle, so that a long one delays
 * neither a redirect nor a write. Single statements only; each sees what was committed before it.
 */
export class ReportChannel extends StoreConnection {
  readonly #thread: Thread<ToReportThread, FromReportThread>
  readonly #pending = new PendingReplies<unknown[]>()
  /** Why every query is refused from now on. */
  #failure: Error | undefined

  constructor(path: string) {
    super()
    this.#thread = new Thread({
      name: 'report',
      file: new URL('./report-thread.ts', import.meta.url),
      onMessage: (message) => this.#settle(message),
    })
    void this.failed.then((cause) => this.#failAll(new StoreUnavailable(cause.message, { cause })))
    this.#thread.send({ kind: 'open', path })
  }

  /** Resolves, with the reason, only when the thread has failed. */
  get failed(): Promise<Error> {
    return this.#thread.failed
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#failure !== undefined) throw this.#failure
    const rows = this.#pending.request((id) =>
      this.#thread.send({ kind: 'query', id, text: query.sql, parameters: query.parameters }),
    )
    return { rows: (await rows) as Row[] }
  }

  /** The thread closes its handle first: if that is the last one, a terminated thread would leave SQLite's side files. */
  async close(): Promise<void> {
    const hasFailed = this.#failure !== undefined
    this.#failAll(new StoreUnavailable('The store is closed.'))
    if (!hasFailed) await this.#thread.stop({ kind: 'stop' }, STOP_MS_MAX)
  }

  async begin(): Promise<void> {
    throw new Error('Reports do not write: use the writing handle for a transaction.')
  }
  async commit(): Promise<void> {}
  async rollback(): Promise<void> {}
  release(): void {}

  #settle(message: FromReportThread): void {
    if (message.kind === 'rows') return this.#pending.resolve(message.id, message.rows)
    const { id, error, code } = message
    this.#pending.reject(id, Object.assign(new Error(error), { code }))
  }

  #failAll(error: Error): void {
    this.#failure ??= error
    this.#pending.rejectAll(error)
  }
}
