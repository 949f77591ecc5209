import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { parseTrustedProxies } from '../clicks/client-ip.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import type { AppEnv } from './answer-endpoint.ts'
import { methodAnswer } from './envelope.ts'
import { METRICS_CONTENT_TYPE, metricsText } from './metrics-text.ts'
import type { ServiceState } from './service-state.ts'

type MetricsDeps = {
  config: Config
  clock: Clock
  metrics: Metrics
  serviceState(): ServiceState
}

const LOOPBACK = parseTrustedProxies('loopback')
/** What a proxy on this machine says of whom it asks for. Then the peer is the proxy, and anybody may be behind it. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** `/metrics`, for this machine and whoever has the token. To everybody else it is not there. */
export function addMetrics(app: Hono<AppEnv>, deps: MetricsDeps): void {
  const hasToken = tokenCheck(deps.config.metricsToken)
  app.all('/metrics', (context, next) => {
    if (!isOfThisMachine(context) && !hasToken(context.req.header('authorization'))) return next()
    if (context.req.method !== 'GET') return methodAnswer(context, ['GET', 'HEAD'])
    refresh(deps)
    return context.body(metricsText(deps.metrics), 200, { 'Content-Type': METRICS_CONTENT_TYPE })
  })
}

function isOfThisMachine(context: Context<AppEnv>): boolean {
  return (
    LOOPBACK.includes(context.env.peer) &&
    PROXY_HEADERS.every((name) => context.req.header(name) === undefined)
  )
}

function tokenCheck(token: string | undefined): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => false
  const expected = sha256(token)
  // Digests are of one length, and to compare them takes as long whatever they are.
  return (authorization = '') => {
    const [, sent = ''] = /^Bearer +(.*)$/i.exec(authorization) ?? []
    return timingSafeEqual(sha256(sent), expected)
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** What nobody has to count because it can be asked. */
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
