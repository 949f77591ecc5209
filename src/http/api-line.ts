import type { Config } from '../config.ts'
import type { SharedMetrics } from '../metrics.ts'
import type { SharedTurns } from '../store/write-turn.ts'
import { Thread, type ThreadWord } from '../thread.ts'
import type { JournalState, ToApiThread } from './api-thread.ts'
import { plainAnswer } from './plain-answer.ts'

/** A request on its way to the API thread. */
export type ApiRequest = {
  kind: 'request'
  id: number
  method: string
  /** Path and query, as sent. */
  target: string
  headers: [string, string][]
  /** 'too-large': it went over the limit and was not read to its end. */
  body: ArrayBuffer | 'too-large' | undefined
  /** For limits only; it goes no further than memory. */
  ip: string
  /** Whose the connection is, whatever the headers say. */
  peer: string
}

export type ApiResponse = {
  kind: 'response'
  id: number
  status: number
  headers: [string, string][]
  body: ArrayBuffer | undefined
}

/** What the API thread has to know first. */
export type ApiStart = { config: Config; writeTurns: SharedTurns; metrics: SharedMetrics }

type LinksChanged = { kind: 'links-changed'; codes: readonly string[] }

/** What the API thread says. */
export type ApiMessage = ThreadWord | ApiResponse | LinksChanged

/**
 * The visitors' thread's end of the line to the API thread. Everything but redirects is answered over there, so that
 * reading JSON, writing to the store and drawing pictures never hold a visitor up.
 */
export class ApiLine {
  readonly #thread: Thread<ToApiThread, ApiResponse | LinksChanged>
  readonly #waiting = new Map<number, (response: Response) => void>()
  #lastId = 0
  #hasFailed = false

  constructor(start: ApiStart, onLinksChanged: (codes: readonly string[]) => void) {
    this.#thread = new Thread({
      name: 'API',
      file: new URL('./api-thread.ts', import.meta.url),
      hear: (message) =>
        message.kind === 'response' ? this.#settle(message) : onLinksChanged(message.codes),
    })
    void this.#thread.failed.then(() => this.#answerNoMore())
    this.#thread.say({ kind: 'start', ...start })
  }

  get ready(): Promise<void> {
    return this.#thread.ready
  }

  get failed(): Promise<Error> {
    return this.#thread.failed
  }

  ask(request: Omit<ApiRequest, 'kind' | 'id'>): Promise<Response> {
    if (this.#hasFailed) return Promise.resolve(apiDown())
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.#waiting.set(id, resolve)
    const transfer = request.body instanceof ArrayBuffer ? [request.body] : []
    this.#thread.say({ kind: 'request', id, ...request }, transfer)
    return promise
  }

  tell(state: JournalState): void {
    this.#thread.say({ kind: 'journal', state })
  }

  /** Lets the requests that are under way finish, and closes the store over there. */
  stop(): Promise<void> {
    return this.#thread.stop({ kind: 'stop' })
  }

  #settle({ id, status, headers, body }: ApiResponse): void {
    this.#waiting.get(id)?.(new Response(body ?? null, { status, headers }))
    this.#waiting.delete(id)
  }

  #answerNoMore(): void {
    this.#hasFailed = true
    for (const resolve of this.#waiting.values()) resolve(apiDown())
    this.#waiting.clear()
  }
}

/** The thread is gone, and the process about to follow it; what was under way may or may not have been done. */
const apiDown = (): Response =>
  plainAnswer(503, 'The service is starting again. Come again in a few seconds.', { 'Retry-After': '5' })
