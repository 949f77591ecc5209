/** What the operator has taken out of service; plain data, so that it can be handed to other threads. */
export type BlockList = {
  /** Links to these hosts, and to names under them, do not redirect. */
  hosts: readonly string[]
  /** Links of these accounts do not redirect: suspended, or deleted by their owners. */
  accountIds: readonly number[]
}

/** The list as it stands now, in memory: asked when a link is stored, and when one is read for the first time. */
export class Blocks {
  #hosts: ReadonlySet<string> = new Set()
  #accountIds: ReadonlySet<number> = new Set()

  replace({ hosts, accountIds }: BlockList): void {
    this.#hosts = new Set(hosts)
    this.#accountIds = new Set(accountIds)
  }

  isAccountBlocked(accountId: number): boolean {
    return this.#accountIds.has(accountId)
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
