import type { OwnHosts } from '../links/destinations/own-hosts.ts'
import type { Config } from '../config/config.ts'
import type { Blocks } from '../links/destinations/blocks.ts'
import { destinationRulesOf } from '../links/destinations/destination-rules.ts'
import { fillTitle } from '../links/fill-title.ts'
import { VERSION } from '../runtime/version.ts'
import { DestinationPages, type DestinationPagesDeps } from './destination-pages.ts'
import { GuardedClient, WEB_PORTS } from './guarded-client.ts'
import type { HostLimit } from './host-limit.ts'
import { isPublicAddress } from './public-address.ts'
import { dnsResolver } from './resolve-host.ts'
import { TitleQueue, type TitleQueueDeps } from './title-queue.ts'

const TIMEOUT_MS = 5_000

type OpenDeps = Parameters<typeof fillTitle>[0] &
  Pick<TitleQueueDeps, 'log'> &
  Pick<DestinationPagesDeps, 'readPage'> & {
    config: Config
    blocks: Blocks
    domains: OwnHosts
    /** IP addresses that count as public, besides those that are. */
    reachableIps: readonly string[]
    reachesAnyPort?: boolean | undefined
    hostLimit: HostLimit
  }

export type OpenDestinationPages = {
  /** Undefined if the operator has switched it off. */
  pages: DestinationPages | undefined
  titles: TitleQueue
  /** What is under way ends at once. */
  close(): Promise<void>
}

export function openDestinationPages(deps: OpenDeps): OpenDestinationPages {
  const { config, clock, readPage } = deps
  const pages = config.fetchDestinations
    ? new DestinationPages({ client: guardedClient(deps), clock, readPage })
    : undefined
  const titles = new TitleQueue({
    ...deps,
    pages,
    fillTitle: (caller, link) => fillTitle(deps, caller, link),
  })
  return {
    pages,
    titles,
    async close() {
      pages?.close()
      await titles.settle()
    },
  }
}

const guardedClient = ({ config, blocks, domains, ...deps }: OpenDeps): GuardedClient =>
  new GuardedClient({
    resolve: dnsResolver(),
    isAllowedAddress: (ip) => isPublicAddress(ip) || deps.reachableIps.includes(ip),
    isAllowedPort: (port) => deps.reachesAnyPort === true || WEB_PORTS.includes(port),
    hostLimit: deps.hostLimit,
    destinationRules: destinationRulesOf(config, { domains, blocks }),
    userAgent: `Tern/${VERSION} (+${config.baseUrl})`,
    timeoutMs: TIMEOUT_MS,
  })
