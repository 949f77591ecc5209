import { noOtherDomains } from '../redirect/no-other-domains.ts'
import { PendingRequests } from '../../../src/http/api-proxy/pending-requests.ts'
import { answerVisit, type VisitDeps } from '../../../src/http/api-server/answer-visit.ts'
import {
  type ApiServerDeps,
  openApiServer,
  type ProxiedVisit,
} from '../../../src/http/api-server/api-server.ts'
import type { Metrics } from '../../../src/metrics/metrics.ts'

type UpstreamDeps = VisitDeps &
  Pick<ApiServerDeps, 'handle'> & {
    metrics: Metrics
    /** A visit has reached the API server. */
    onVisit?(code: string): void
  }

/** An API server on this thread, as the redirect server sees it. */
export function openApiUpstream({ metrics, handle, onVisit, ...deps }: UpstreamDeps) {
  /** Clients of the proxied connections. */
  const peers = new Map<number, string>()
  const openLink = (visits: readonly ProxiedVisit[]) => {
    for (const { code } of visits) onVisit?.(code)
    return answerVisit(deps, visits)
  }
  const server = openApiServer(
    {
      openLink,
      // Links without passwords.
      enterPassword: (visits) =>
        openLink(visits.map(({ header: _, ...visit }) => ({ ...visit, headers: {} }))),
      answered: (status) => metrics.shortUrlResponses[status].add(),
      handle,
      log: deps.log,
      domains: noOtherDomains(),
      peers,
    },
    { host: '127.0.0.1', port: 0, trustedProxies: undefined },
  )
  const pending = new PendingRequests(metrics)
  return { port: Promise.resolve(server.port!), pending, peers, stop: () => server.stop(true) }
}
