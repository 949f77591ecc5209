import { openGeoLookup } from '../clicks/visitor/geo-location.ts'
import type { Config } from '../config/config.ts'
import type { KeptRedirectState } from '../links/routes/redirect-state.ts'
import { MinuteLimit } from '../limits/minute-limit.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { trustedProxiesOf } from '../network/client-ip.ts'
import { LimitedOpenings } from '../redirect/limited-openings.ts'
import type { OpenLinkDeps } from '../redirect/open-link.ts'
import { systemClock } from '../runtime/clock.ts'
import { countErrors, type Log } from '../runtime/log.ts'
import { answerVisit } from './api-server/answer-visit.ts'
import type { ApiChannel } from './api-server/api-channel.ts'
import { connectionFilesMax } from './redirect-server/connection-files.ts'
import { openRedirectServer, type RedirectServer } from './redirect-server/redirect-server.ts'

/** An IP address that requests more unknown codes than this in a minute has to wait. */
const MISSES_PER_MINUTE = 300

export type ServerParts = Pick<OpenLinkDeps, 'links' | 'journal' | 'visitors' | 'notFound'> & {
  kept: Pick<KeptRedirectState, 'domains' | 'ownTraffic' | 'utmWorkspaces'>
  api: ApiChannel
  log: Log
  metrics: Metrics
  sharesPort: boolean
}

/** The redirect server on the public port, and the few visits that reach the API server instead. */
export function openServers(
  config: Config,
  parts: ServerParts,
  opened: AsyncDisposableStack,
): RedirectServer {
  const { kept, links, journal, visitors, notFound, api, metrics, sharesPort } = parts
  const { domains, ownTraffic, utmWorkspaces } = kept
  const { host, port } = config
  const clock = systemClock
  const geo = openGeoLookup(config.geoipDb)
  const misses = new MinuteLimit(clock, MISSES_PER_MINUTE)
  const log = countErrors(parts.log, metrics.loggedErrors.redirect)
  const openings = new LimitedOpenings(api.openings, clock)
  const openLink = {
    links,
    journal,
    visitors,
    geo,
    notFound,
    misses,
    openings,
    clock,
    domains,
    ownTraffic,
    utmWorkspaces,
  }
  const deps = { openLink, log, metrics }
  api.answerVisits((visits) => answerVisit(deps, visits))
  opened.defer(() => api.closeServer())
  const trustedProxies = trustedProxiesOf(config.trustedProxies)
  return opened.adopt(
    openRedirectServer(
      { ...deps, api, clock },
      { host, port, sharesPort, trustedProxies, filesMax: connectionFilesMax() },
    ),
    (server) => server.stop(),
  )
}
