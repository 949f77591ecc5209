import { clientIp, plainIp, type TrustedProxies } from '../clicks/client-ip.ts'
import { couldBeCode } from '../codes/custom-code.ts'
import { isReserved } from '../codes/reserved.ts'
import { describeError, type Log } from '../log.ts'
import { openLink, type OpenLinkDeps } from '../redirect/open-link.ts'
import type { ApiLine } from './api-line.ts'
import { FAULT_MESSAGE, plainAnswer } from './plain-answer.ts'
import { readBody } from './read-body.ts'

export type FrontDoorDeps = { openLink: OpenLinkDeps; api: Pick<ApiLine, 'ask'>; log: Log }
export type FrontDoorSettings = {
  host: string
  port: number
  /** Undefined: nobody's `X-Forwarded-For` is read. */
  trustedProxies: TrustedProxies | undefined
}

/** Connections that say nothing for so long are closed: slow clients cannot gather. */
const IDLE_SECONDS = 10
/** Above the API's own limit, so that a body somewhat too large still gets an answer in the envelope. */
const BODY_BYTES_CLOSED = 16 * 1024 * 1024
const GOOD_HOSTS_MAX = 1000
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** The one port: short addresses are answered here, everything else goes to the API thread. */
export function openFrontDoor(deps: FrontDoorDeps, { host, port, trustedProxies }: FrontDoorSettings) {
  const isGoodHost = rememberedHosts()
  return Bun.serve({
    hostname: host,
    port,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: BODY_BYTES_CLOSED,
    // Otherwise Bun answers an exception with a page that shows the source.
    development: false,
    fetch(request, server) {
      if (!isGoodHost(request.headers.get('host')))
        return plainAnswer(400, 'The Host header is missing or malformed.')
      const peer = server.requestIP(request)?.address ?? ''
      const ip =
        trustedProxies === undefined
          ? plainIp(peer)
          : clientIp(peer, request.headers.get('x-forwarded-for'), trustedProxies)
      const target = targetOf(request.url)
      const code = codeOf(target)
      return code === undefined
        ? forward(deps, request, { target, ip })
        : openLink(deps.openLink, { request, code, ip })
    },
    error(error) {
      const id = Bun.randomUUIDv7()
      deps.log.error('A request failed.', { request_id: id, ...describeError(error) })
      return plainAnswer(500, FAULT_MESSAGE, { 'X-Request-Id': id })
    },
  })
}

async function forward(
  deps: FrontDoorDeps,
  request: Request,
  { target, ip }: { target: string; ip: string },
) {
  const body = await readBody(request)
  return deps.api.ask({ method: request.method, target, headers: [...request.headers], body, ip })
}

/** Path and query. The Host is good, so the URL is absolute; `new URL` would be many times slower. */
const targetOf = (url: string): string => url.slice(url.indexOf('/', 8))

/** What a path of one segment asks for, unless it is one of our own pages. */
function codeOf(target: string): string | undefined {
  const queryAt = target.indexOf('?')
  const segment = queryAt === -1 ? target.slice(1) : target.slice(1, queryAt)
  return couldBeCode(segment) && !isReserved(segment) ? segment : undefined
}

/** RFC 9112 §3.2: a missing, repeated or malformed Host is answered with 400. Bun joins repeated ones with a comma. */
function rememberedHosts(): (host: string | null) => boolean {
  const good = new Set<string>()
  return (host) => {
    if (host === null) return false
    if (good.has(host)) return true
    if (!HOST.test(host)) return false
    if (good.size >= GOOD_HOSTS_MAX) good.clear()
    good.add(host)
    return true
  }
}
