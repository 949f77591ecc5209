import { StoreUnavailable } from '../errors/store-unavailable.ts'
import { RecentMap } from '../limits/recent-map.ts'
import type { Clock } from '../runtime/clock.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import type { VisitResponse } from './visit-response.ts'

/** Durable when the promise resolves. Rejects, with StoreUnavailable, if it may or may not have been. */
export type OpeningStore = {
  /** False if none is left. */
  spend(linkId: number): Promise<boolean>
  /** Resolves when it is stored, or could not be. */
  giveBack(linkId: number): Promise<void>
  /** Rejects with StoreUnavailable if the store cannot say. */
  isLimitReached(linkId: number): Promise<boolean>
}

/** Visitors of a node who wait for an opening. Those beyond it are asked to try again. */
const WAITING_MAX = 5_000
/** Of one link, so that it leaves places to the others. */
const WAITING_OF_LINK_MAX = 1_000
/** The store is asked this rarely for visits that spend nothing: anybody can send any number of them. */
const CHECKED_MS = 500
const CHECKS_MAX = 1_000
/** After a failure the store is left alone for this long, and nobody waits in vain. */
const UNAVAILABLE_MS = 500

/** The visitors of a link who wait, with the one who is on the way; `last` resolves when the last of them has left. */
type Line = { waiting: number; last: Promise<void> }
type Check = { route: LinkRoute; atMs: number; answer: Promise<boolean> }

/**
 * Visitors of links with `max_clicks`. Each spends an opening that is on the disk before the click is journaled. For each
 * link one visitor follows the other: whatever ends the process costs at most the opening of the one who was on the way.
 */
export class LimitedOpenings {
  readonly #store: OpeningStore
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #lines = new Map<number, Line>()
  /** By link, until a visitor comes who spends an opening. */
  readonly #checks = new RecentMap<Check>(CHECKS_MAX)
  /** Routes without openings left. A changed link has another route, so one whose limit is raised opens again. */
  readonly #exhausted = new WeakSet<LinkRoute>()
  #waiting = 0
  #unavailableUntilMs = -Infinity

  constructor(store: OpeningStore, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Whether this node knows that no opening is left. */
  isExhausted(route: LinkRoute): boolean {
    return this.#exhausted.has(route)
  }

  /**
   * The same for visits that spend none: the store is asked what this node does not know. They do not wait for visitors, whose
   * opening may be returned: false then, and while the store cannot say. The answer may be half a second old.
   */
  async checkExhausted(route: LinkRoute): Promise<boolean> {
    if (this.#exhausted.has(route)) return true
    if (this.#lines.has(route.linkId)) return false
    return this.#recentCheck(route).answer
  }

  #recentCheck(route: LinkRoute): Check {
    const key = String(route.linkId)
    const nowMs = this.#clock.monotonicMs()
    const recent = this.#checks.get(key)
    if (recent?.route === route && nowMs - recent.atMs < CHECKED_MS) return recent
    const check: Check = { route, atMs: nowMs, answer: Promise.resolve(false) }
    check.answer = this.#isLimitReached(route.linkId).then((isReached) => {
      // A visitor has come since, who may return an opening.
      if (this.#checks.get(key) !== check) return this.#exhausted.has(route)
      if (isReached) this.#exhausted.add(route)
      return isReached
    })
    this.#checks.set(key, check)
    return check
  }

  /** Undefined if no opening is left. An opening that did not lead to a redirect is returned. */
  async open(
    route: LinkRoute,
    redirect: () => VisitResponse | Promise<VisitResponse>,
  ): Promise<VisitResponse | undefined> {
    if (this.#exhausted.has(route)) return undefined
    const waitingOfLink = this.#lines.get(route.linkId)?.waiting ?? 0
    if (this.#waiting >= WAITING_MAX || waitingOfLink >= WAITING_OF_LINK_MAX)
      throw new StoreUnavailable('Too many visitors are waiting.')
    return this.#inLine(route, () => this.#spendAnd(redirect, route))
  }

  async #inLine<Answer>({ linkId }: LinkRoute, act: () => Promise<Answer>): Promise<Answer> {
    this.#waiting++
    this.#checks.delete(String(linkId))
    const leave = await this.#enter(linkId)
    try {
      return await act()
    } finally {
      this.#waiting--
      // Later, so that this response is on its way before the next visitor spends an opening.
      setImmediate(leave)
    }
  }

  /** Waits for the visitor before. The returned function lets the next one in. */
  async #enter(linkId: number): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const line = this.#lines.get(linkId) ?? { waiting: 0, last: Promise.resolve() }
    this.#lines.set(linkId, line)
    const before = line.last
    line.last = promise
    line.waiting++
    await before
    return () => {
      line.waiting--
      if (line.waiting === 0) this.#lines.delete(linkId)
      resolve()
    }
  }

  async #spendAnd(
    redirect: () => VisitResponse | Promise<VisitResponse>,
    route: LinkRoute,
  ): Promise<VisitResponse | undefined> {
    if (this.#exhausted.has(route)) return undefined
    if (!(await this.#spend(route.linkId))) {
      this.#exhausted.add(route)
      return undefined
    }
    const response = await redirect()
    // Waited for, so that who comes next does not take the link for used up.
    if (response.location === undefined) await this.#store.giveBack(route.linkId)
    return response
  }

  #spend(linkId: number): Promise<boolean> {
    return this.#ask(() => this.#store.spend(linkId))
  }

  async #isLimitReached(linkId: number): Promise<boolean> {
    try {
      return await this.#ask(() => this.#store.isLimitReached(linkId))
    } catch (error) {
      if (error instanceof StoreUnavailable) return false
      throw error
    }
  }

  async #ask(question: () => Promise<boolean>): Promise<boolean> {
    if (this.#clock.monotonicMs() < this.#unavailableUntilMs)
      throw new StoreUnavailable('The store could not be reached a moment ago.')
    try {
      return await question()
    } catch (error) {
      this.#unavailableUntilMs = this.#clock.monotonicMs() + UNAVAILABLE_MS
      throw error
    }
  }
}
