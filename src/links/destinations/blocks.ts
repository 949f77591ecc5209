/** What the operator has blocked, as plain data for messages between threads. */
export type BlockList = {
  /** Including their subdomains. */
  hosts: readonly string[]
  /** Suspended workspaces. */
  workspaceIds: readonly number[]
  /** Workspaces that their owners have deleted: their links do not exist for visitors. */
  closedWorkspaceIds: readonly number[]
}

export const NOTHING_BLOCKED: BlockList = { hosts: [], workspaceIds: [], closedWorkspaceIds: [] }

/** The current list in memory. Checked when a link is stored, and when it is read into the cache. */
export class Blocks {
  #hosts: ReadonlySet<string> = new Set()
  #workspaceIds: ReadonlySet<number> = new Set()
  #closedWorkspaceIds: ReadonlySet<number> = new Set()

  replace({ hosts, workspaceIds, closedWorkspaceIds }: BlockList): void {
    this.#hosts = new Set(hosts)
    this.#workspaceIds = new Set(workspaceIds)
    this.#closedWorkspaceIds = new Set(closedWorkspaceIds)
  }

  of(workspaceId: number, hostname: string): 'gone' | 'blocked' | 'free' {
    if (this.#closedWorkspaceIds.has(workspaceId)) return 'gone'
    return this.#workspaceIds.has(workspaceId) || this.isHostBlocked(hostname) ? 'blocked' : 'free'
  }

  /** The host or one of its parent domains: for `a.b.example` also `b.example` and `example`. */
  isHostBlocked(hostname: string): boolean {
    if (this.#hosts.size === 0) return false
    // The parser leaves the case of a host in the URL of an app as it is.
    const name = withoutRootDot(hostname.toLowerCase())
    if (this.#hosts.has(name)) return true
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      if (this.#hosts.has(name.slice(dot + 1))) return true
    }
    return false
  }
}

/** "example.com." is the same name as "example.com" (RFC 1034, 3.1). */
export const withoutRootDot = (hostname: string): string => hostname.replace(/\.$/, '')
