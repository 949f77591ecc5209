import { IpNetworks, parseNetwork } from '../../network/ip-network.ts'
import { isUncounted } from './uncounted-cookie.ts'

/** What a workspace does not count, as plain data for messages between threads. */
export type UncountedTraffic = {
  workspaceId: number
  /** Signs the cookies of excluded browsers; null until there is one. */
  cookieKey: string | null
  networks: readonly string[]
}

type Visitor = { ip: string; header(name: 'cookie'): string | null }

/** Visits that their workspace does not count, in the memory of the redirect thread. Nothing about them is stored. */
export class OwnTraffic {
  /** A redirect of a workspace that excludes nothing looks here, and at nothing else. */
  byWorkspace: ReadonlyMap<number, Exclusion> = new Map()

  replace(list: readonly UncountedTraffic[]): void {
    this.byWorkspace = new Map(list.map((each) => [each.workspaceId, new Exclusion(each)]))
  }
}

/** Of one workspace. */
class Exclusion {
  readonly #workspaceId: number
  readonly #cookieKey: string | null
  readonly #networks: IpNetworks | undefined

  constructor({ workspaceId, cookieKey, networks }: UncountedTraffic) {
    this.#workspaceId = workspaceId
    this.#cookieKey = cookieKey
    this.#networks = networks.length === 0 ? undefined : networksOf(networks)
  }

  excludes(visitor: Visitor): boolean {
    if (this.#networks?.includes(visitor.ip)) return true
    if (this.#cookieKey === null) return false
    const cookies = visitor.header('cookie')
    return cookies !== null && isUncounted(cookies, { workspaceId: this.#workspaceId, key: this.#cookieKey })
  }
}

function networksOf(texts: readonly string[]): IpNetworks {
  const networks = new IpNetworks()
  for (const text of texts) {
    const network = parseNetwork(text)
    if (network !== undefined) networks.add(network)
  }
  return networks
}
