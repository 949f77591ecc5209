import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../config/config.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { readBlockList } from '../destinations/block-host.ts'
import { pointsToUs } from '../destinations/own-hosts.ts'
import { type BlockList, Blocks, NOTHING_BLOCKED } from '../destinations/blocks.ts'
import { type Domain, Domains } from '../domains/domains.ts'
import { readDomains } from '../domains/read-domains.ts'
import { OwnTraffic, type UncountedTraffic } from '../own-traffic/own-traffic.ts'
import { readOwnTraffic } from '../own-traffic/read-own-traffic.ts'
import { readUtmWorkspaces } from '../utm-workspaces.ts'

/** What every thread of every node keeps in memory besides links. */
export type RedirectState = RoutesState & CountingState

/** When it changes, links have to be checked again. */
type RoutesState = { blockList: BlockList; domains: readonly Domain[] }

/** What workspaces say about which visits count, and with what. `utmWorkspaces`: their ids. */
type CountingState = { ownTraffic: readonly UncountedTraffic[]; utmWorkspaces: readonly number[] }

export const NO_REDIRECT_STATE: RedirectState = {
  blockList: NOTHING_BLOCKED,
  domains: [],
  ownTraffic: [],
  utmWorkspaces: [],
}

/** The state as a thread has it. */
export class KeptRedirectState {
  readonly blocks = new Blocks()
  readonly domains: Domains
  readonly ownTraffic = new OwnTraffic()
  /** Those that count the UTM parameters with which their short URLs are opened. */
  readonly utmWorkspaces: { ids: ReadonlySet<number> } = { ids: new Set() }
  #state: RedirectState | undefined

  constructor(config: Pick<Config, 'baseUrl' | 'unknownHosts'>, state: RedirectState) {
    this.domains = new Domains(config)
    this.replace(state)
  }

  /** What is different from before: `counting` says nothing about where links lead. */
  replace(state: RedirectState): 'nothing' | 'counting' | 'routes' {
    const before = this.#state
    if (isDeepStrictEqual(state, before)) return 'nothing'
    this.#state = state
    this.ownTraffic.replace(state.ownTraffic)
    this.utmWorkspaces.ids = new Set(state.utmWorkspaces)
    if (before !== undefined && isDeepStrictEqual(routesOf(state), routesOf(before))) return 'counting'
    this.#replaceRoutes(state)
    return 'routes'
  }

  #replaceRoutes({ blockList, domains }: RoutesState): void {
    this.blocks.replace(blockList)
    // Its hosts say which pages lead back here.
    this.domains.replace(domains)
    const allowed = (url: string | null) => (url === null || this.#isRefused(new URL(url)) ? null : url)
    this.domains.replace(
      domains.map((domain) => ({
        ...domain,
        homeUrl: allowed(domain.homeUrl),
        notFoundUrl: allowed(domain.notFoundUrl),
        expiredUrl: allowed(domain.expiredUrl),
      })),
    )
  }

  /** Checked when the page was set too, but hosts are blocked and domains verified later. */
  #isRefused(url: URL): boolean {
    return this.blocks.isHostBlocked(url.hostname) || pointsToUs(url, this.domains)
  }
}

const routesOf = ({ blockList, domains }: RedirectState): RoutesState => ({ blockList, domains })

export async function readRedirectState(db: CurrentDb): Promise<RedirectState> {
  const [blockList, domains, ownTraffic, utmWorkspaces] = await Promise.all([
    readBlockList(db),
    readDomains(db),
    readOwnTraffic(db),
    readUtmWorkspaces(db),
  ])
  return { blockList, domains, ownTraffic, utmWorkspaces }
}
