import { noOtherDomains } from '../redirect/no-other-domains.ts'
import { connect } from 'node:net'
import { PLAIN_ROUTE } from '../redirect/plain-route.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openRedirectServer } from '../../../src/http/redirect-server/redirect-server.ts'
import { routeOptions } from '../../../src/links/routes/route-options.ts'
import type { LinkRoute } from '../../../src/links/routes/link-route.ts'
import { newSharedMetrics, openMetrics } from '../../../src/metrics/metrics.ts'
import { openApiUpstream } from './api-upstream.ts'
import { atTheEnd } from './api-proxy-rig.ts'
import type { LinkKey } from '../../../src/links/link-key.ts'

const HOST = '127.0.0.1'
/** A destination from before there was a limit, longer than what the system buffers for a connection. */
export const LONG_HREF = 'https://example.com/'.padEnd(12_000_000, 'long')

/**
 * The redirect server and the API server, with a journal that takes a click when the test says so. Every code is a link
 * except "nobody", "long" has a long destination, and "opens" opens with a path, too. The API responds with the request.
 */
export function openRedirectServerRig() {
  const metrics = openMetrics(newSharedMetrics())
  const asked: string[] = []
  const opened: string[] = []
  /** Clicks that wait. While undefined, the journal takes them at once. */
  const journal = { waiting: undefined as PromiseWithResolvers<void>[] | undefined, clicks: 0 }
  const deps = {
    openLink: {
      links: {
        get({ domainId, code }: LinkKey): LinkRoute | undefined {
          opened.push(code)
          if (code === 'nobody' || code.includes('/')) return undefined
          const destination = code === 'long' ? LONG_HREF : `https://example.com/${code}`
          const options = code === 'opens' ? routeOptions({ forward_path: 1 }) : undefined
          return { ...PLAIN_ROUTE, domainId, code, destination, options }
        },
      },
      journal: {
        append(): Promise<void> {
          journal.clicks++
          if (journal.waiting === undefined) return Promise.resolve()
          const click = Promise.withResolvers<void>()
          journal.waiting.push(click)
          return click.promise
        },
      },
      visitors: { of: () => 1 },
      geo: { locate: () => ({ country: '', city: undefined }) },
      openings: { open: async () => undefined, isExhausted: () => false, checkExhausted: async () => false },
      clock: systemClock,
      domains: noOtherDomains('https://s.example.com'),
      ownTraffic: { byWorkspace: new Map() },
      utmWorkspaces: { ids: new Set<number>() },
      misses: { count: () => ({ isAllowed: true, retryAfterSeconds: 1 }) },
      notFound: { note: () => {} },
    },
    log: { debug() {}, info() {}, warn() {}, error: (message: string) => void logged.push(message) },
    metrics,
    clock: systemClock,
  }
  const logged: string[] = []
  const visits: string[] = []
  let isApiBlocked = false
  const api = openApiUpstream({
    ...deps,
    onVisit: (code) => void visits.push(code),
    async handle({ request, target, body }) {
      asked.push(target)
      await (isApiBlocked ? new Promise(() => {}) : Bun.sleep(5))
      const bytes = body instanceof ArrayBuffer ? body.byteLength : 0
      return new Response(`${request.method} ${target} with ${bytes} bytes`)
    },
  })
  const settings = { host: HOST, port: 0, trustedProxies: undefined, sharesPort: false, filesMax: 10_000 }
  const server = openRedirectServer({ ...deps, api }, settings)
  atTheEnd(api.stop)
  atTheEnd(() => server.stop())
  const { shortUrlResponses: counted, connections } = metrics
  return {
    port: server.port,
    server,
    pending: api.pending,
    blockApi: () => (isApiBlocked = true),
    visits,
    journal,
    asked,
    opened,
    logged,
    counted,
    connections,
  }
}

export const get = (target: string, more = ''): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
export const head = (target: string): string => get(target).replace('GET', 'HEAD')
export const post = (target: string, content: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${content.length}\r\n\r\n${content}`

/** A client that collects what it receives. Only the server ends the connection. */
export function connectTo(port: number) {
  const socket = connect({ port, host: HOST, noDelay: true, allowHalfOpen: true })
  const received = { text: '', hasEnded: false, wasReset: false }
  socket.on('data', (bytes) => (received.text += bytes.toString('latin1')))
  socket.on('error', () => (received.wasReset = true))
  socket.on('end', () => (received.hasEnded = true))
  socket.on('close', () => (received.hasEnded = true))
  atTheEnd(() => socket.destroy())
  return { socket, received }
}

/** What each response has: the path that it leads to, the text of the API, or else its status. */
export function answersIn(text: string): string[] {
  return text
    .split('HTTP/1.1 ')
    .slice(1)
    .map((answer) => {
      const location = /^Location: https:\/\/example\.com(\S*)/im.exec(answer)?.[1]
      return location ?? /^[A-Z]+ \/\S* with \d+ bytes/m.exec(answer)?.[0] ?? answer.slice(0, 3)
    })
}
