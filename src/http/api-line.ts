import type { Config } from '../config.ts'
import type { BlockList } from '../links/blocks.ts'
import type { SharedMetrics } from '../metrics.ts'
import type { SharedTurns } from '../store/write-turn.ts'
import { Thread, type ThreadWord } from '../thread.ts'
import type { ToApiThread } from './api-thread.ts'
import { BodyStream } from './body-stream.ts'
import { plainAnswer } from './plain-answer.ts'
import type { ServiceState } from './service-state.ts'

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
  /** 'stream': it follows in chunks, each asked for. */
  body: ArrayBuffer | 'stream' | undefined
}

/** The next part of a streamed body; undefined at its end. */
type Chunk = { kind: 'chunk'; id: number; bytes: Uint8Array | undefined }

/** What the API thread has to know first. */
export type ApiStart = {
  config: Config
  /** Data folders of processes that are no more, whose code logs are to be looked at too. */
  leftFolders: readonly string[]
  writeTurns: SharedTurns
  metrics: SharedMetrics
  /** As it is at the start. */
  blockList: BlockList
}

type LinksChanged = { kind: 'links-changed'; codes: readonly string[] }
/** Whenever they have. */
type BlocksChanged = { kind: 'blocks'; blocks: BlockList }

/** What the visitors' thread does when it hears of changes, before the caller behind them is answered. */
export type ChangeListener = {
  onLinksChanged(codes: readonly string[]): void
  onBlocks(blocks: BlockList): void
}

/** What the API thread says. */
export type ApiMessage = ThreadWord | ApiSaying
type ApiSaying = ApiResponse | Chunk | LinksChanged | BlocksChanged

/**
 * The visitors' thread's end of the line to the API thread. Everything but redirects is answered over there, so that
 * reading JSON, writing to the store and drawing pictures never hold a visitor up.
 */
export class ApiLine {
  readonly #thread: Thread<ToApiThread, ApiSaying>
  readonly #listener: ChangeListener
  readonly #waiting = new Map<number, (response: Response) => void>()
  readonly #streams = new Map<number, BodyStream>()
  #lastId = 0
  #hasFailed = false

  constructor(start: ApiStart, listener: ChangeListener) {
    this.#listener = listener
    this.#thread = new Thread({
      name: 'API',
      file: new URL('./api-thread.ts', import.meta.url),
      hear: (message) => this.#hear(message),
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

  tell(state: ServiceState): void {
    this.#thread.say({ kind: 'state', state })
  }

  /** What another node has blocked, or blocks no longer. */
  tellBlocks(blocks: BlockList): void {
    this.#thread.say({ kind: 'blocks', blocks })
  }

  /** The database is another server's by now, or may have been meanwhile. */
  tellAnotherServer(): void {
    this.#thread.say({ kind: 'another-server' })
  }

  /** Ends the answers that would go on for ever, or for long: a page that listens need not hold up the end. */
  endStreams(): void {
    for (const stream of this.#streams.values()) stream.end()
  }

  /** Lets the requests that are under way finish, and closes the store over there. */
  stop(): Promise<void> {
    return this.#thread.stop({ kind: 'stop' })
  }

  #hear(message: ApiSaying): void {
    if (message.kind === 'response') this.#settle(message)
    else if (message.kind === 'chunk') this.#streams.get(message.id)?.take(message.bytes)
    else if (message.kind === 'links-changed') this.#listener.onLinksChanged(message.codes)
    else this.#listener.onBlocks(message.blocks)
  }

  #settle({ id, status, headers, body }: ApiResponse): void {
    const content = body === 'stream' ? this.#openStream(id) : (body ?? null)
    this.#waiting.get(id)?.(new Response(content, { status, headers }))
    this.#waiting.delete(id)
  }

  #openStream(id: number): ReadableStream<Uint8Array> {
    const stream = new BodyStream({
      ask: () => this.#thread.say({ kind: 'next-chunk', id }),
      close: () => {
        this.#streams.delete(id)
        this.#thread.say({ kind: 'close-stream', id })
      },
    })
    this.#streams.set(id, stream)
    return stream.readable
  }

  #answerNoMore(): void {
    this.#hasFailed = true
    this.endStreams()
    for (const resolve of this.#waiting.values()) resolve(apiDown())
    this.#waiting.clear()
  }
}

/** The thread is gone, and the process about to follow it; what was under way may or may not have been done. */
const apiDown = (): Response =>
  plainAnswer(503, 'The service is starting again. Come again in a few seconds.', { 'Retry-After': '5' })
