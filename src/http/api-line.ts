import type { Config } from '../config.ts'
import type { JournalState, ToApiThread } from './api-thread.ts'

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
}

export type ApiResponse = {
  kind: 'response'
  id: number
  status: number
  headers: [string, string][]
  body: ArrayBuffer | undefined
}

/** What the API thread says. */
export type ApiMessage =
  ApiResponse | { kind: 'ready' } | { kind: 'links-changed'; codes: readonly string[] } | { kind: 'stopped' }

/**
 * The visitors' thread's end of the line to the API thread. Everything but redirects is answered over there, so that
 * reading JSON, writing to the store and drawing pictures never hold a visitor up.
 */
export class ApiLine {
  readonly #worker: Worker
  readonly #waiting = new Map<number, (response: Response) => void>()
  readonly #ready = Promise.withResolvers<void>()
  readonly #stopped = Promise.withResolvers<void>()
  #lastId = 0

  constructor(config: Config, onLinksChanged: (codes: readonly string[]) => void) {
    this.#worker = new Worker(new URL('./api-thread.ts', import.meta.url).href)
    this.#worker.onmessage = (event: MessageEvent<ApiMessage>) => {
      const message = event.data
      if (message.kind === 'response') this.#settle(message)
      else if (message.kind === 'links-changed') onLinksChanged(message.codes)
      else if (message.kind === 'ready') this.#ready.resolve()
      else this.#stopped.resolve()
    }
    this.#worker.onerror = (event) => this.#ready.reject(new Error(`The API thread failed: ${event.message}`))
    this.#say({ kind: 'start', config })
  }

  get ready(): Promise<void> {
    return this.#ready.promise
  }

  ask(request: Omit<ApiRequest, 'kind' | 'id'>): Promise<Response> {
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.#waiting.set(id, resolve)
    const transfer = request.body instanceof ArrayBuffer ? [request.body] : []
    this.#say({ kind: 'request', id, ...request }, transfer)
    return promise
  }

  tell(state: JournalState): void {
    this.#say({ kind: 'journal', state })
  }

  /** Lets the requests that are under way finish, and closes the store over there. */
  async stop(): Promise<void> {
    this.#say({ kind: 'stop' })
    await this.#stopped.promise
    this.#worker.terminate()
  }

  #say(message: ToApiThread, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  #settle({ id, status, headers, body }: ApiResponse): void {
    this.#waiting.get(id)?.(new Response(body ?? null, { status, headers }))
    this.#waiting.delete(id)
  }
}
