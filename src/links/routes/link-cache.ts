import type { OwnHosts } from '../destinations/own-hosts.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import type { Blocks } from '../destinations/blocks.ts'
import { type LinkKey, keyText } from '../link-key.ts'
import { checkRoute } from './check-route.ts'
import type { LinkRoute } from './link-route.ts'

/** Reads the links that the cache does not have. */
export type RouteReader = {
  /** A promise if the tables are on another server. It rejects while they cannot be read. */
  get(key: LinkKey): LinkRoute | undefined | Promise<LinkRoute | undefined>
  /** These links have changed. */
  forget(keys: readonly LinkKey[]): void
}

type LinkCacheDeps = {
  routes: RouteReader
  /** Used while `routes` cannot be read. */
  known?: { get(key: LinkKey): LinkRoute | undefined }
  ownHosts: OwnHosts
  blocks: Blocks
  metrics: Pick<Metrics, 'linkLookups' | 'linkCacheEntries'>
}

/**
 * Links by key, bounded. Two generations: a hit is one lookup and moves nothing. When the young generation has half of
 * the entries allowed, it becomes the old one, and what was not used since is dropped with the old one before.
 */
export class LinkCache {
  readonly #deps: LinkCacheDeps
  readonly #generationMax: number
  #young = new Map<string, LinkRoute>()
  #old = new Map<string, LinkRoute>()
  /** Number of calls that removed entries. */
  #removals = 0

  constructor(deps: LinkCacheDeps, entriesMax: number) {
    this.#deps = deps
    this.#generationMax = Math.max(1, Math.floor(entriesMax / 2))
  }

  /** The committed link that the key opens. A promise while it is read from another server. */
  get(key: LinkKey): LinkRoute | undefined | Promise<LinkRoute | undefined> {
    const text = keyText(key)
    const cached = this.#young.get(text) ?? this.#keep(this.#old.get(text))
    const { hit, miss } = this.#deps.metrics.linkLookups
    if (cached !== undefined) {
      hit.add()
      return cached
    }
    miss.add()
    const route = this.#deps.routes.get(key)
    return route instanceof Promise ? this.#keepLater(key, route) : this.#keep(checkRoute(this.#deps, route))
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  /** All entries, the newest first. Those added during the iteration may be missing. */
  *links(): Generator<LinkRoute> {
    const generations = [this.#young, this.#old]
    for (const links of generations) yield* links.values()
  }

  /** Call it when links have changed, before the caller behind the change gets an answer. */
  forget(keys: readonly LinkKey[]): void {
    this.#removals++
    this.#deps.routes.forget(keys)
    for (const key of keys) {
      const text = keyText(key)
      this.#young.delete(text)
      this.#old.delete(text)
    }
    this.#showSize()
  }

  /** Call it when the block list has changed, so that every link is checked again. */
  forgetAll(): void {
    this.#removals++
    this.#young = new Map()
    this.#old = new Map()
    this.#showSize()
  }

  #keep(route: LinkRoute | undefined): LinkRoute | undefined {
    if (route === undefined) return undefined
    if (this.#young.size >= this.#generationMax) {
      this.#old = this.#young
      this.#young = new Map()
    }
    // Not the requested code: that string is a slice, which would keep the whole request in memory.
    this.#young.set(keyText(route), route)
    this.#showSize()
    return route
  }

  async #keepLater(key: LinkKey, reading: Promise<LinkRoute | undefined>): Promise<LinkRoute | undefined> {
    const removalsBefore = this.#removals
    let route: LinkRoute | undefined
    try {
      route = await reading
    } catch (error) {
      const earlier = error instanceof StoreUnavailable ? this.#deps.known?.get(key) : undefined
      if (earlier === undefined) throw error
      // Not cached, so that it is read again as soon as the database answers.
      return earlier
    }
    const usable = checkRoute(this.#deps, route)
    // If anything was removed since, it may be this link, read just before it changed.
    return removalsBefore === this.#removals ? this.#keep(usable) : usable
  }

  #showSize(): void {
    this.#deps.metrics.linkCacheEntries.set(this.size)
  }
}
