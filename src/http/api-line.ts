import type { Config } from '../config.ts'
import type { BlockList } from '../links/blocks.ts'
import type { Log } from '../log.ts'
import { type Metrics, openMetrics, type SharedMetrics } from '../metrics.ts'
import type { SharedTurns } from '../store/write-turn.ts'
import { Thread, type ThreadWord } from '../thread.ts'
import type { ToApiThread } from './api-thread.ts'
import { BodyStream } from './body-stream.ts'
import { plainAnswer } from './plain-answer.ts'
import type { ServiceState } from './service-state.ts'
import { SILENT_SECONDS_MAX, WaitingRequests } from './waiting-requests.ts'

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

const SECOND_MS = 1_000
/** Of the ten seconds that an end may take. */
const STOP_SILENT_SECONDS_MAX = 3

/** What the API thread says. */
export type ApiMessage = ThreadWord | ApiSaying
/** Its caller was told to try again before the thread came to it, so nothing was done. */
type Skipped = { kind: 'skipped'; id: number }
type ApiSaying = ApiResponse | Skipped | Chunk | LinksChanged | BlocksChanged

/**
 * The visitors' thread's end of the line to the API thread. Everything but redirects is answered over there, so that
 * reading JSON, writing to the store and drawing pictures never hold a visitor up.
 */
export class ApiLine {
  readonly #thread: Thread<ToApiThread, ApiSaying>
  readonly #listener: ChangeListener
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #waiting: WaitingRequests
  readonly #streams = new Map<number, BodyStream>()
  readonly #isDeaf = Promise.withResolvers<void>()
  readonly #timer: Timer
  #lastId = 0
  #lastBeat = 0
  #hasFailed = false
  #isStopping = false

  constructor(start: ApiStart, listener: ChangeListener, log: Log) {
    this.#listener = listener
    this.#log = log
    this.#metrics = openMetrics(start.metrics)
    this.#waiting = new WaitingRequests(this.#metrics)
    this.#thread = new Thread({
      name: 'API',
      file: new URL('./api-thread.ts', import.meta.url),
      hear: (message) => this.#hear(message),
    })
    void this.#thread.failed.then(() => this.#answerNoMore())
    this.#thread.say({ kind: 'start', ...start })
    this.#timer = setInterval(() => this.#passSecond(), SECOND_MS)
  }

  get ready(): Promise<void> {
    return this.#thread.ready
  }

  get failed(): Promise<Error> {
    return this.#thread.failed
  }

  ask(request: Omit<ApiRequest, 'kind' | 'id'>): Promise<Response> {
    if (this.#hasFailed) return Promise.resolve(apiDown())
    const transfer = request.body instanceof ArrayBuffer ? [request.body] : []
    const bodyBytes = transfer[0]?.byteLength ?? 0
    const refusal = this.#waiting.refusalOf(bodyBytes)
    if (refusal !== undefined) return Promise.resolve(refusal)
    const id = ++this.#lastId
    const answer = this.#waiting.add(id, bodyBytes)
    this.#thread.say({ kind: 'request', id, ...request }, transfer)
    return answer
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

  /**
   * Lets the requests that are under way finish, and closes the store over there. A thread that is blocked would never
   * hear of it: it ends with the process, and leaves the background thread the time to count.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.race([this.#thread.stop({ kind: 'stop' }), this.#isDeaf.promise])
    clearInterval(this.#timer)
  }

  #hear(message: ApiSaying): void {
    if (message.kind === 'response') this.#settle(message)
    else if (message.kind === 'skipped') this.#waiting.answer(message.id, apiDown)
    else if (message.kind === 'chunk') this.#streams.get(message.id)?.take(message.bytes)
    else if (message.kind === 'links-changed') this.#listener.onLinksChanged(message.codes)
    else this.#listener.onBlocks(message.blocks)
  }

  #settle({ id, status, headers, body }: ApiResponse): void {
    const content = () => (body === 'stream' ? this.#openStream(id) : (body ?? null))
    const isWaitedFor = this.#waiting.answer(id, () => new Response(content(), { status, headers }))
    if (!isWaitedFor && body === 'stream') this.#thread.say({ kind: 'close-stream', id })
  }

  /** The thread watches its event loop ten times a second; what that counts up is its sign of life. */
  #passSecond(): void {
    const beat = this.#metrics.eventLoopDelay.api.count
    const wasBlocked = this.#waiting.isBlocked
    this.#waiting.passSecond(beat !== this.#lastBeat)
    this.#lastBeat = beat
    const { isBlocked, silentSeconds } = this.#waiting
    if (this.#isStopping && silentSeconds >= STOP_SILENT_SECONDS_MAX) this.#isDeaf.resolve()
    if (isBlocked === wasBlocked) return
    if (!isBlocked) return this.#log.warn('The API thread responds again.')
    this.#metrics.apiGivenUp.set(this.#lastId)
    this.#log.error(
      `The API thread is blocked: it has not responded for ${SILENT_SECONDS_MAX} seconds. Redirects continue; everything else gets 503.`,
    )
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
    clearInterval(this.#timer)
    this.endStreams()
    this.#waiting.answerAll(apiDown)
  }
}

/** The thread is gone, and the process about to follow it; what was under way may or may not have been done. */
const apiDown = (): Response =>
  plainAnswer(503, 'The server is restarting. Try again in a few seconds.', { 'Retry-After': '5' })
