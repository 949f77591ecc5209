import { createHash, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { parseTrustedProxies } from '../../network/client-ip.ts'
import { isOwnRequestOf } from '../../network/proxied-request.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { AppEnv } from '../dispatch/app-context.ts'
import { methodNotAllowedResponse } from '../responses/envelope.ts'
import { METRICS_CONTENT_TYPE, metricsText } from './metrics-text.ts'
import type { ServiceState } from '../api-server/api-channel.ts'

type MetricsDeps = {
  config: Config
  clock: Clock
  metrics: Metrics
  serviceState(): ServiceState
}

const LOOPBACK = parseTrustedProxies('loopback')

/** `/metrics`, for this machine and for clients with the token. Others get 404. */
export function addMetricsEndpoint(app: Hono<AppEnv>, deps: MetricsDeps): void {
  const hasToken = tokenCheck(deps.config.metricsToken)
  app.all('/metrics', (context, next) => {
    const { req, env } = context
    const isOfThisMachine = isOwnRequestOf(LOOPBACK, { peer: env.peer, header: (name) => req.header(name) })
    if (!isOfThisMachine && !hasToken(req.header('authorization'))) return next()
    if (req.method !== 'GET') return methodNotAllowedResponse(context, ['GET', 'HEAD'])
    refresh(deps)
    return context.body(metricsText(deps.metrics), 200, { 'Content-Type': METRICS_CONTENT_TYPE })
  })
}

function tokenCheck(token: string | undefined): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => false
  const expected = sha256(token)
  // Digests have the same length, so the time of the comparison reveals nothing.
  return (authorization = '') => {
    const [, sent = ''] = /^Bearer +(.*)$/i.exec(authorization) ?? []
    return timingSafeEqual(sha256(sent), expected)
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Values that are read at the time of the scrape. */
function refresh({ metrics, clock, serviceState }: MetricsDeps): void {
  const nowUs = clock.nowUs()
  const { user, system } = process.cpuUsage()
  metrics.lagClicks.set(Math.max(0, metrics.clicksJournaled.value - metrics.clicksSettled.value))
  metrics.lagSeconds.set(Math.max(0, nowUs - metrics.countedUntil.value) / 1e6)
  metrics.journalDegraded.set(serviceState() === 'degraded' ? 1 : 0)
  metrics.wallClock.set(nowUs / 1e6)
  metrics.residentMemory.set(process.memoryUsage.rss())
  metrics.cpuSeconds.add((user + system) / 1e6 - metrics.cpuSeconds.value)
}
