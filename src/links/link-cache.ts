import type { Metrics } from '../metrics.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import type { Blocks } from './blocks.ts'
import { pointsToUs } from './destination.ts'

/** What the redirect needs to know of a link. */
export type LinkTarget = {
  code: string
  linkId: number
  accountId: number
  /** Pure ASCII. */
  href: string
  /** False: switched off, blocked, or it would send visitors round in a circle. */
  isOpen: boolean
  /** By the operator. */
  isBlocked: boolean
}

/** One row of TARGET_SQL. */
export type TargetRow = { code: string; id: number; account_id: number; href: string; is_active: number }

export const TARGET_SQL =
  'SELECT code, id, account_id, coalesce(target_url, original_url) AS href, is_active FROM links WHERE code = ?'

/** Where links are read that the cache does not know. */
export type TargetRows = {
  /** A promise where the tables are elsewhere; it rejects while they cannot be read. */
  get(code: string): TargetRow | undefined | Promise<TargetRow | undefined>
  /** What is known of the codes is no longer so. */
  forget(codes: readonly string[]): void
}

export type LinkCacheDeps = {
  rows: TargetRows
  /** Asked while the rows cannot be. */
  known?: { get(code: string): LinkTarget | undefined }
  ownHosts: ReadonlySet<string>
  blocks: Blocks
  metrics: Pick<Metrics, 'linkLookups' | 'linkCacheEntries'>
}

/**
 * Code → link, bounded. Two generations: a hit costs one look-up and nothing is moved; when the young one is half the
 * bound it becomes the old one, and what nobody asked for meanwhile is forgotten with the one before.
 */
export class LinkCache {
  readonly #deps: LinkCacheDeps
  readonly #generationMax: number
  #young = new Map<string, LinkTarget>()
  #old = new Map<string, LinkTarget>()
  /** How often something was forgotten. */
  #forgotten = 0

  constructor(deps: LinkCacheDeps, entriesMax: number) {
    this.#deps = deps
    this.#generationMax = Math.max(1, Math.floor(entriesMax / 2))
  }

  /** The link with this code as it is committed; undefined when there is none. A promise while it is read elsewhere. */
  get(code: string): LinkTarget | undefined | Promise<LinkTarget | undefined> {
    const known = this.#young.get(code) ?? this.#renew(this.#old.get(code))
    const { hit, miss } = this.#deps.metrics.linkLookups
    if (known !== undefined) {
      hit.add()
      return known
    }
    miss.add()
    const row = this.#deps.rows.get(code)
    return row instanceof Promise ? this.#loadLater(code, row) : this.#renew(this.#targetOf(row))
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  /** All that it knows, the latest first; what comes meanwhile may be missing. */
  *links(): Generator<LinkTarget> {
    const generations = [this.#young, this.#old]
    for (const links of generations) yield* links.values()
  }

  /** To be called when a link has changed, before its caller is told. */
  forget(codes: readonly string[]): void {
    this.#forgotten++
    this.#deps.rows.forget(codes)
    for (const code of codes) {
      this.#young.delete(code)
      this.#old.delete(code)
    }
    this.#showSize()
  }

  /** To be called when what is blocked has changed: every link is then looked at anew. */
  forgetAll(): void {
    this.#forgotten++
    this.#young = new Map()
    this.#old = new Map()
    this.#showSize()
  }

  #renew(target: LinkTarget | undefined): LinkTarget | undefined {
    if (target === undefined) return undefined
    if (this.#young.size >= this.#generationMax) {
      this.#old = this.#young
      this.#young = new Map()
    }
    // Not the code that was asked for: that string is a slice, which would keep the whole URL in memory.
    this.#young.set(target.code, target)
    this.#showSize()
    return target
  }

  async #loadLater(code: string, asked: Promise<TargetRow | undefined>): Promise<LinkTarget | undefined> {
    const before = this.#forgotten
    let row: TargetRow | undefined
    try {
      row = await asked
    } catch (error) {
      const known = error instanceof StoreUnavailable ? this.#deps.known?.get(code) : undefined
      if (known === undefined) throw error
      // Not kept: it is to be read when that can be done again.
      return known
    }
    const target = this.#targetOf(row)
    // What was forgotten meanwhile may be this one, read just before it changed.
    return before === this.#forgotten ? this.#renew(target) : target
  }

  #targetOf(row: TargetRow | undefined): LinkTarget | undefined {
    if (row === undefined) return undefined
    // Compared again here, because the service may have got another address since the link was made.
    const { ownHosts, blocks } = this.#deps
    const url = new URL(row.href)
    const isLoop = pointsToUs(url, ownHosts)
    const state = blocks.of(row.account_id, url.hostname)
    if (state === 'gone') return undefined
    const isBlocked = state === 'blocked'
    return {
      code: row.code,
      linkId: row.id,
      accountId: row.account_id,
      href: row.href,
      isOpen: row.is_active === 1 && !isLoop && !isBlocked,
      isBlocked,
    }
  }

  #showSize(): void {
    this.#deps.metrics.linkCacheEntries.set(this.size)
  }
}
