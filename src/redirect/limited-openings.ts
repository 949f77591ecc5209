import { StoreUnavailable } from '../errors/store-unavailable.ts'
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
/** After a failure the store is left alone for this long, and nobody waits in vain. */
const UNAVAILABLE_MS = 500

/**
 * Visitors of links with `max_clicks`. Each spends an opening that is on the disk before the click is journaled. For each
 * link one visitor follows the other: whatever ends the process costs at most the opening of the one who was on the way.
 */
export class LimitedOpenings {
  readonly #store: OpeningStore
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** The last visitor in line, by link. */
  readonly #last = new Map<number, Promise<void>>()
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
   * The same for visits that spend none: the store is asked what this node does not know. False while the store cannot say. It
   * waits in line, because the opening of the visitor before may be returned.
   */
  async checkExhausted(route: LinkRoute): Promise<boolean> {
    if (this.#exhausted.has(route)) return true
    if (this.#waiting >= WAITING_MAX) return false
    return this.#inLine(route, async () => {
      if (!this.#exhausted.has(route) && (await this.#isLimitReached(route.linkId)))
        this.#exhausted.add(route)
      return this.#exhausted.has(route)
    })
  }

  /** Undefined if no opening is left. An opening that did not lead to a redirect is returned. */
  async open(
    route: LinkRoute,
    redirect: () => VisitResponse | Promise<VisitResponse>,
  ): Promise<VisitResponse | undefined> {
    if (this.#exhausted.has(route)) return undefined
    if (this.#waiting >= WAITING_MAX) throw new StoreUnavailable('Too many visitors are waiting.')
    return this.#inLine(route, () => this.#spendAnd(redirect, route))
  }

  async #inLine<Answer>({ linkId }: LinkRoute, act: () => Promise<Answer>): Promise<Answer> {
    this.#waiting++
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
    const before = this.#last.get(linkId)
    this.#last.set(linkId, promise)
    await before
    return () => {
      if (this.#last.get(linkId) === promise) this.#last.delete(linkId)
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
