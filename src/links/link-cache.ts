import type { PointRead } from '../store/point-read.ts'
import type { Blocks } from './blocks.ts'
import { type DestinationRules, pointsToUs } from './destination.ts'

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

/**
 * Code → link, bounded. Two generations: a hit costs one look-up and nothing is moved; when the young one is half the
 * bound it becomes the old one, and what nobody asked for meanwhile is forgotten with the one before.
 */
export class LinkCache {
  readonly #read: PointRead<TargetRow>
  readonly #ownHosts: ReadonlySet<string>
  readonly #blocks: Blocks
  readonly #generationMax: number
  #young = new Map<string, LinkTarget>()
  #old = new Map<string, LinkTarget>()

  constructor(
    read: PointRead<TargetRow>,
    { ownHosts, blocks }: Pick<DestinationRules, 'ownHosts'> & { blocks: Blocks },
    entriesMax: number,
  ) {
    this.#read = read
    this.#ownHosts = ownHosts
    this.#blocks = blocks
    this.#generationMax = Math.max(1, Math.floor(entriesMax / 2))
  }

  /** The link with this code as it is committed; undefined when there is none. */
  get(code: string): LinkTarget | undefined {
    return this.#young.get(code) ?? this.#renew(code)
  }

  /** To be called when a link has changed, before its caller is told. */
  forget(codes: readonly string[]): void {
    for (const code of codes) {
      this.#young.delete(code)
      this.#old.delete(code)
    }
  }

  /** To be called when what is blocked has changed: every link is then looked at anew. */
  forgetAll(): void {
    this.#young = new Map()
    this.#old = new Map()
  }

  #renew(code: string): LinkTarget | undefined {
    const target = this.#old.get(code) ?? this.#load(code)
    if (target === undefined) return undefined
    if (this.#young.size >= this.#generationMax) {
      this.#old = this.#young
      this.#young = new Map()
    }
    // Not the code that was asked for: that string is a slice, which would keep the whole URL in memory.
    this.#young.set(target.code, target)
    return target
  }

  #load(code: string): LinkTarget | undefined {
    const row = this.#read.get(code)
    if (row === undefined) return undefined
    // Compared again here, because the service may have got another address since the link was made.
    const url = new URL(row.href)
    const isLoop = pointsToUs(url, this.#ownHosts)
    const isBlocked =
      this.#blocks.isAccountBlocked(row.account_id) || this.#blocks.isHostBlocked(url.hostname)
    return {
      code: row.code,
      linkId: row.id,
      accountId: row.account_id,
      href: row.href,
      isOpen: row.is_active === 1 && !isLoop && !isBlocked,
      isBlocked,
    }
  }
}
