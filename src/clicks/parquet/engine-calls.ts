import { PendingReplies } from '../../runtime/pending-replies.ts'
import type { ClickQuery, ClickRow } from '../queries/click-query.ts'
import { EngineError, type EngineErrorCode } from './engine-error.ts'
import type { ForgottenLinks } from './click-files.ts'
import type { ClickFile } from './parquet-file.ts'
import type { FactPage, FactRows } from './read-facts.ts'
import type { FileSums } from './sum-files.ts'
import type { ForgottenIds, Rewriting } from './rewrite-files.ts'

export type EngineAnswer = {
  /** The rows of each group. */
  groups: ClickRow[][]
  /** All files of the range. */
  files: readonly string[]
  /** Files of the range that are gone or damaged: their clicks are missing in the rows. */
  unreadableFiles: readonly string[]
}

export type EngineQuery = {
  query: ClickQuery
  msMax: number
  /** Of the files only, without the clicks that are in the table. */
  isOfFiles?: boolean
}

/** What the engine does. Inputs and results are copied between processes and threads. */
export type EngineApi = {
  /** The time includes that of waiting for other queries. */
  query: { input: EngineQuery; result: EngineAnswer }
  /** Copies the clicks that are in the table, so that the next query has none to copy. */
  prepare: { input: object; result: void }
  closeClicks: { input: { upToId: number }; result: ClickFile[] }
  rewriteFiles: { input: Rewriting; result: ClickFile | undefined }
  readFacts: { input: FactPage; result: FactRows }
  sumFiles: { input: { names: readonly string[]; forgotten: ForgottenLinks }; result: FileSums }
  filesWith: { input: ForgottenIds & { names: readonly string[] }; result: string[] }
}
type MethodName = keyof EngineApi

export type EngineMethods = {
  [Name in MethodName]: (
    input: EngineApi[Name]['input'],
    signal: AbortSignal,
  ) => Promise<EngineApi[Name]['result']>
}

/** Rejects with an `EngineError`. A call whose signal is aborted is interrupted where it runs. */
export type CallEngine = <Name extends MethodName>(
  name: Name,
  input: EngineApi[Name]['input'],
  signal?: AbortSignal,
) => Promise<EngineApi[Name]['result']>

export type EngineRequest =
  { kind: 'call'; id: number; name: MethodName; input: unknown } | { kind: 'cancel'; id: number }
export type EngineReply =
  | { kind: 'result'; id: number; result: unknown }
  | { kind: 'error'; id: number; code: EngineErrorCode; message: string }

/** Calls by messages, to another process or thread. */
export class RemoteCalls {
  readonly #pending = new PendingReplies<unknown>()
  readonly #post: (request: EngineRequest) => void

  constructor(post: (request: EngineRequest) => void) {
    this.#post = post
  }

  readonly call: CallEngine = async (name, input, signal) => {
    let id = 0
    const reply = this.#pending.request((newId) => {
      id = newId
      this.#post({ kind: 'call', id, name, input })
    })
    const cancel = () => {
      this.#post({ kind: 'cancel', id })
      this.#pending.reject(id, new EngineError('canceled', 'The call was given up.'))
    }
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return (await reply) as never
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  receive(reply: EngineReply): void {
    if (reply.kind === 'result') this.#pending.resolve(reply.id, reply.result)
    else this.#pending.reject(reply.id, new EngineError(reply.code, reply.message))
  }

  failAll(error: EngineError): void {
    this.#pending.rejectAll(error)
  }
}

/** The other side: what to do with each request. */
export function answerCalls(call: CallEngine, post: (reply: EngineReply) => void) {
  const running = new Map<number, AbortController>()
  return async (request: EngineRequest): Promise<void> => {
    const { id } = request
    if (request.kind === 'cancel') return running.get(id)?.abort()
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const result = await call(request.name, request.input as never, controller.signal)
      post({ kind: 'result', id, result })
    } catch (error) {
      const code = error instanceof EngineError ? error.code : 'failed'
      post({ kind: 'error', id, code, message: error instanceof Error ? error.message : String(error) })
    } finally {
      running.delete(id)
    }
  }
}
