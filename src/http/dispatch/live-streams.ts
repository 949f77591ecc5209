import type { MemberRole } from '../../access/roles-and-scopes.ts'
import type { Session } from '../../users/sign-in/session.ts'
import { watchingRoles } from '../../users/sign-in/watching-sessions.ts'
import { clicksBetween, latestClickId, type RecentClick } from '../../analytics/recent-clicks.ts'
import { workspaceTotals } from '../../analytics/click-totals.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { Clock } from '../../runtime/clock.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import type { DurableDb } from '../../store/handles.ts'
import {
  clickView,
  type LiveClicks as ClicksEvent,
  type LiveSession as SessionEvent,
  liveTotals,
} from '../endpoints/click-view.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { runningImports } from '../../import/jobs/running-imports.ts'
import { StreamPlaces } from '../../limits/stream-places.ts'

/** Clicks are counted about half a second after their redirects, and sent at most this much later. */
const LOOK_EVERY_MS = 500
/** Idle connections are closed after ten seconds. */
const WORD_EVERY_MS = 5_000
/** The page then reconnects, and its session is checked again. */
const STREAM_MS_MAX = 10 * 60_000
const STREAMS_MAX = 1_000
const STREAMS_PER_WORKSPACE = 10
/** Of a burst, a page gets the latest clicks; the totals include the rest. */
const CLICKS_AT_ONCE = 100
/** For all pages together. */
const CLICKS_LOOKED_UP = 5_000
/** A page that reads too slowly is disconnected when this much waits for it. */
const WAITING_BYTES_MAX = 128 * 1024

type LiveDeps = {
  db: DurableDb
  domains: Pick<Domains, 'hostOf'>
  clock: Clock
  log: Log
  sendsClicks: boolean
}

type WorkspaceTotals = Awaited<ReturnType<typeof workspaceTotals>>

type News = {
  clicks: RecentClick[]
  totals: WorkspaceTotals
  role: MemberRole
  runningImport: number | null
}

type Listener = {
  sessionId: number
  workspaceId: number
  role: MemberRole
  runningImport: number | null
  controller: ReadableStreamDefaultController<Uint8Array>
  endsAtMs: number
  saidAtMs: number
  totals: string
  leavePlace: () => void
}

type OpenedBy = Pick<Session, 'id' | 'workspaceId' | 'memberRole'>

const encoder = new TextEncoder()

/** Sends new clicks to open pages (server-sent events). One query serves all pages, and none runs without pages. */
export class LiveStreams {
  readonly #deps: LiveDeps
  readonly #listeners = new Set<Listener>()
  readonly #places = new StreamPlaces({
    perWorkspace: STREAMS_PER_WORKSPACE,
    max: STREAMS_MAX,
    sentence: 'Too many pages are listening at once: close some.',
  })
  #timer: Timer | undefined
  #isLooking = false
  #lastId = 0

  constructor(deps: LiveDeps) {
    this.#deps = deps
  }

  /** Ends with the session, and with the membership of its user. */
  async open({ id: sessionId, workspaceId, memberRole: role }: OpenedBy): Promise<Response> {
    if (this.#listeners.size === 0) this.#lastId = await latestClickId(this.#deps.db)
    const leavePlace = this.#places.take(workspaceId)
    const now = this.#deps.clock.monotonicMs()
    let listener: Listener
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          listener = {
            sessionId,
            workspaceId,
            role,
            runningImport: null,
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
      if (!isStoreUnavailable(error)) this.#deps.log.warn('Could not read new clicks.', describeError(error))
    } finally {
      this.#isLooking = false
    }
  }

  async #tellAll(): Promise<void> {
    // Pages that connect during the queries get clicks from the next round on.
    const listeners = [...this.#listeners]
    if (listeners.length === 0) return
    const { db } = this.#deps
    const workspaceIds = [...new Set(listeners.map(({ workspaceId }) => workspaceId))]
    const upTo = await latestClickId(db)
    const clicks = await this.#newClicks(upTo, workspaceIds)
    const totals = await workspaceTotals(db, workspaceIds)
    const imports = await runningImports(db, workspaceIds)
    const roleOf = await watchingRoles(db, listeners)
    // Only now: what a round could not read is sent by the next.
    this.#lastId = upTo
    for (const listener of listeners) {
      const role = roleOf(listener)
      const runningImport = imports.get(listener.workspaceId) ?? null
      if (role === undefined) this.#end(listener)
      else this.#tell(listener, { clicks, totals, role, runningImport })
    }
  }

  async #newClicks(upTo: number, workspaceIds: readonly number[]): Promise<RecentClick[]> {
    const after = this.#lastId
    if (upTo === after || !this.#deps.sendsClicks) return []
    return clicksBetween(this.#deps.db, { after, upTo, workspaceIds, limit: CLICKS_LOOKED_UP })
  }

  #tell(listener: Listener, news: News): void {
    const { workspaceId } = listener
    const { role, runningImport } = news
    if (role !== listener.role || runningImport !== listener.runningImport) {
      Object.assign(listener, { role, runningImport })
      this.#say(listener, event('session', { role, running_import: runningImport } satisfies SessionEvent))
    }
    const own = news.clicks.filter((click) => click.workspaceId === workspaceId).slice(-CLICKS_AT_ONCE)
    if (own.length > 0)
      this.#say(
        listener,
        event('clicks', {
          clicks: own.map((click) => clickView(this.#deps.domains, click)),
        } satisfies ClicksEvent),
      )
    const totals = JSON.stringify(liveTotals(news.totals, workspaceId))
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
