import { type Session, sessionsAmong } from '../../accounts/session.ts'
import { clicksBetween, latestClickId, type RecentClick } from '../../analytics/recent-clicks.ts'
import { accountTotals } from '../../analytics/account-totals.ts'
import type { Clock } from '../../clock.ts'
import { describeError, type Log } from '../../log.ts'
import type { Db } from '../../store/open-store.ts'
import type { LiveClicks as ClicksEvent } from './dashboard-types.ts'
import { clickView, liveTotals } from './dashboard-views.ts'
import { StreamPlaces } from './stream-places.ts'

/** Clicks are in the counters about half a second after their redirects, and here so much later at most. */
const LOOK_EVERY_MS = 500
/** Connections on which nothing is said for ten seconds are closed. */
const WORD_EVERY_MS = 5_000
/** A page asks again by itself then, and is asked anew who it is. */
const STREAM_MS_MAX = 10 * 60_000
const STREAMS_MAX = 1_000
const STREAMS_PER_ACCOUNT = 10
/** Of a burst a page hears the latest, and the totals tell the rest. */
const CLICKS_AT_ONCE = 100
/** For all pages together; with more in half a second nobody could follow. */
const CLICKS_LOOKED_UP = 5_000
/** Of a page that takes no more so much waits; then it is let go, and asks again when it does. */
const WAITING_BYTES_MAX = 128 * 1024

type LiveDeps = { db: Db; clock: Clock; log: Log }

type AccountTotals = Awaited<ReturnType<typeof accountTotals>>

type Listener = {
  sessionId: number
  accountId: number
  controller: ReadableStreamDefaultController<Uint8Array>
  endsAtMs: number
  saidAtMs: number
  totals: string
  leavePlace: () => void
}

const encoder = new TextEncoder()

/** Tells open pages of new clicks (server-sent events). One look at the counters serves all pages; without one there is none. */
export class LiveStreams {
  readonly #deps: LiveDeps
  readonly #listeners = new Set<Listener>()
  readonly #places = new StreamPlaces({
    perAccount: STREAMS_PER_ACCOUNT,
    max: STREAMS_MAX,
    sentence: 'Too many pages are listening at once: close some.',
  })
  #timer: Timer | undefined
  #isLooking = false
  #lastId = 0

  constructor(deps: LiveDeps) {
    this.#deps = deps
  }

  /** Ends with the session. */
  async open({ id: sessionId, accountId }: Pick<Session, 'id' | 'accountId'>): Promise<Response> {
    if (this.#listeners.size === 0) this.#lastId = await latestClickId(this.#deps.db)
    const leavePlace = this.#places.take(accountId)
    const now = this.#deps.clock.monotonicMs()
    let listener: Listener
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          listener = {
            sessionId,
            accountId,
            controller,
            endsAtMs: now + STREAM_MS_MAX,
            saidAtMs: now,
            totals: '',
            leavePlace,
          }
          this.#listeners.add(listener)
          controller.enqueue(encoder.encode('retry: 2000\n\n'))
        },
        cancel: () => this.#leave(listener),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES_MAX }),
    )
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS)
    return new Response(body, {
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
    })
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#tellAll()
    } catch (error) {
      this.#deps.log.warn('Could not read new clicks.', describeError(error))
    } finally {
      this.#isLooking = false
    }
  }

  async #tellAll(): Promise<void> {
    // Whoever comes while this looks things up is told the next time.
    const listeners = [...this.#listeners]
    if (listeners.length === 0) return
    const { db } = this.#deps
    const accountIds = [...new Set(listeners.map(({ accountId }) => accountId))]
    const clicks = await this.#newClicks(accountIds)
    const totals = await accountTotals(db, accountIds)
    const sessions = await sessionsAmong(
      db,
      listeners.map(({ sessionId }) => sessionId),
    )
    for (const listener of listeners) {
      if (sessions.has(listener.sessionId)) this.#tell(listener, { clicks, totals })
      else this.#end(listener)
    }
  }

  async #newClicks(accountIds: readonly number[]): Promise<RecentClick[]> {
    const after = this.#lastId
    const upTo = await latestClickId(this.#deps.db)
    this.#lastId = upTo
    if (upTo === after) return []
    return clicksBetween(this.#deps.db, { after, upTo, accountIds, limit: CLICKS_LOOKED_UP })
  }

  #tell(listener: Listener, news: { clicks: RecentClick[]; totals: AccountTotals }): void {
    const { accountId } = listener
    const own = news.clicks.filter((click) => click.accountId === accountId).slice(-CLICKS_AT_ONCE)
    if (own.length > 0)
      this.#say(listener, event('clicks', { clicks: own.map(clickView) } satisfies ClicksEvent))
    const totals = JSON.stringify(liveTotals(news.totals, accountId))
    if (totals !== listener.totals) {
      listener.totals = totals
      this.#say(listener, `event: totals\ndata: ${totals}\n\n`)
    }
    const now = this.#deps.clock.monotonicMs()
    if (now >= listener.endsAtMs) return this.#end(listener)
    if (now - listener.saidAtMs >= WORD_EVERY_MS) this.#say(listener, ': still here\n\n')
  }

  #say(listener: Listener, text: string): void {
    if (!this.#listeners.has(listener)) return
    if ((listener.controller.desiredSize ?? 0) <= 0) return this.#end(listener)
    listener.saidAtMs = this.#deps.clock.monotonicMs()
    listener.controller.enqueue(encoder.encode(text))
  }

  #end(listener: Listener): void {
    if (!this.#listeners.has(listener)) return
    listener.controller.close()
    this.#leave(listener)
  }

  #leave(listener: Listener): void {
    listener.leavePlace()
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const event = (name: string, content: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(content)}\n\n`
