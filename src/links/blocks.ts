/** What the operator has taken out of service; plain data, so that it can be handed to other threads. */
export type BlockList = {
  /** Links to these hosts, and to names under them, do not redirect. */
  hosts: readonly string[]
  /** Links of these accounts do not redirect: they are suspended. */
  accountIds: readonly number[]
  /** Links of these accounts are as good as gone: their owners have deleted them. */
  closedAccountIds: readonly number[]
}

export const NOTHING_BLOCKED: BlockList = { hosts: [], accountIds: [], closedAccountIds: [] }

/** The list as it stands now, in memory: asked when a link is stored, and when one is read for the first time. */
export class Blocks {
  #hosts: ReadonlySet<string> = new Set()
  #accountIds: ReadonlySet<number> = new Set()
  #closedAccountIds: ReadonlySet<number> = new Set()

  replace({ hosts, accountIds, closedAccountIds }: BlockList): void {
    this.#hosts = new Set(hosts)
    this.#accountIds = new Set(accountIds)
    this.#closedAccountIds = new Set(closedAccountIds)
  }

  /** What becomes of a link of this account to this host. */
  of(accountId: number, hostname: string): 'gone' | 'blocked' | 'free' {
    if (this.#closedAccountIds.has(accountId)) return 'gone'
    return this.#accountIds.has(accountId) || this.isHostBlocked(hostname) ? 'blocked' : 'free'
  }

  /** The host itself, or a name that it is under: `a.b.example` is under `b.example` and `example`. */
  isHostBlocked(hostname: string): boolean {
    if (this.#hosts.size === 0) return false
    const name = withoutRootDot(hostname)
    if (this.#hosts.has(name)) return true
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      if (this.#hosts.has(name.slice(dot + 1))) return true
    }
    return false
  }
}

/** "example.com." is the same name as "example.com", spelled from the root (RFC 1034, 3.1). */
export const withoutRootDot = (hostname: string): string => hostname.replace(/\.$/, '')
