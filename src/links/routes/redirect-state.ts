import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../config/config.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { readBlockList } from '../destinations/block-host.ts'
import { pointsToUs } from '../destinations/own-hosts.ts'
import { type BlockList, Blocks, NOTHING_BLOCKED } from '../destinations/blocks.ts'
import { type Domain, Domains } from '../domains/domains.ts'
import { readDomains } from '../domains/read-domains.ts'

/** What every thread of every node keeps in memory besides links. When it changes, links have to be checked again. */
export type RedirectState = { blockList: BlockList; domains: readonly Domain[] }

export const NO_REDIRECT_STATE: RedirectState = { blockList: NOTHING_BLOCKED, domains: [] }

/** The state as a thread has it. */
export class KeptRedirectState {
  readonly blocks = new Blocks()
  readonly domains: Domains
  #state: RedirectState | undefined

  constructor(config: Pick<Config, 'baseUrl' | 'unknownHosts'>, state: RedirectState) {
    this.domains = new Domains(config)
    this.replace(state)
  }

  /** False if it was the same before. */
  replace(state: RedirectState): boolean {
    if (isDeepStrictEqual(state, this.#state)) return false
    this.#state = state
    const { blockList, domains } = state
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
    return true
  }

  /** Checked when the page was set too, but hosts are blocked and domains verified later. */
  #isRefused(url: URL): boolean {
    return this.blocks.isHostBlocked(url.hostname) || pointsToUs(url, this.domains)
  }
}

export async function readRedirectState(db: CurrentDb): Promise<RedirectState> {
  const [blockList, domains] = await Promise.all([readBlockList(db), readDomains(db)])
  return { blockList, domains }
}
