import { GuardedClient, WEB_PORTS } from '../../destination-pages/guarded-client.ts'
import { isPublicAddress } from '../../destination-pages/public-address.ts'
import { dnsResolver } from '../../destination-pages/resolve-host.ts'
import { VERSION } from '../../runtime/version.ts'
import { PAGE_TIMEOUT_MS, SOURCE_RULES } from './open-network-source.ts'

/** `reachableIps`, `reachesAnyPort`: of tests, as elsewhere. */
export type ServerClientSettings = {
  baseUrl: string
  reachableIps: readonly string[]
  reachesAnyPort: boolean
}

/** The client of the server, where a user of it names the URL: only public addresses, and ports of web servers. */
export const serverClient = (
  { baseUrl, reachableIps, reachesAnyPort }: ServerClientSettings,
  timeoutMs = PAGE_TIMEOUT_MS,
): GuardedClient =>
  new GuardedClient({
    resolve: dnsResolver(),
    isAllowedAddress: (ip) => isPublicAddress(ip) || reachableIps.includes(ip),
    isAllowedPort: (port) => reachesAnyPort || WEB_PORTS.includes(port),
    destinationRules: SOURCE_RULES,
    userAgent: `Tern/${VERSION} (+${baseUrl})`,
    timeoutMs,
  })
