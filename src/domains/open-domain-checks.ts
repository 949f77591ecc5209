import type { Config } from '../config/config.ts'
import { GuardedClient, WEB_PORTS } from '../destination-pages/guarded-client.ts'
import type { HostLimit } from '../destination-pages/host-limit.ts'
import { isPublicAddress } from '../destination-pages/public-address.ts'
import { dnsResolver, dnsTxtLookup } from '../destination-pages/resolve-host.ts'
import { Blocks } from '../links/destinations/blocks.ts'
import { VERSION } from '../runtime/version.ts'
import { DomainChecks } from './domain-checks.ts'

const TIMEOUT_MS = 5_000

type OpenDeps = {
  config: Config
  /** IP addresses that count as public, besides those that are. */
  reachableIps: readonly string[]
  /** Instead of the DNS servers of the machine. */
  dnsServers?: readonly string[] | undefined
  /** Authorities for certificates, in PEM, instead of those that the machine trusts. */
  authorities?: readonly string[] | undefined
  hostLimit?: HostLimit | undefined
}

export function openDomainChecks({ config, reachableIps, ...others }: OpenDeps): DomainChecks {
  const { dnsServers, authorities, hostLimit } = others
  // Domains are looked at on the port that visitors use.
  const ownPort = Number(new URL(config.baseUrl).port)
  const resolve = dnsResolver(dnsServers)
  const isAllowedAddress = (ip: string) => isPublicAddress(ip) || reachableIps.includes(ip)
  const client = new GuardedClient({
    resolve,
    isAllowedAddress,
    isAllowedPort: (port) => port === ownPort || WEB_PORTS.includes(port),
    hostLimit,
    // Unlike a destination, a domain leads to this server.
    destinationRules: { ownHosts: { has: () => false }, allowPrivate: false, blocks: new Blocks() },
    userAgent: `Tern/${VERSION} (+${config.baseUrl})`,
    timeoutMs: TIMEOUT_MS,
    authorities,
  })
  return new DomainChecks({
    baseUrl: config.baseUrl,
    lookUpTxt: dnsTxtLookup(dnsServers),
    resolve,
    isAllowedAddress,
    client: config.fetchDestinations ? client : undefined,
  })
}
