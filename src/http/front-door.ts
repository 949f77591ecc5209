import type { Server } from 'bun'
import { clientIp, plainIp, type TrustedProxies } from '../clicks/client-ip.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type Answer, asResponse } from '../redirect/answer.ts'
import { openLink, type OpenLinkDeps } from '../redirect/open-link.ts'
import type { ApiLine, ApiRequest } from './api-line.ts'
import { FAULT_MESSAGE, logFault, plainAnswer } from './plain-answer.ts'
import { readBody } from './read-body.ts'
import { codeOf, rememberedHosts, targetOf } from './targets.ts'

export type FrontDoorDeps = {
  openLink: OpenLinkDeps
  api: Pick<ApiLine, 'ask'>
  log: Log
  /** Whose a connection is that was handed over, by the port on this machine that it comes from. */
  peers: { get(port: number): string | undefined }
  metrics: Pick<Metrics, 'shortAddressAnswers'>
}
export type FrontDoorSettings = {
  host: string
  port: number
  /** Undefined: nobody's `X-Forwarded-For` is read. */
  trustedProxies: TrustedProxies | undefined
}

/** Where handed-over connections come from. */
const LANE_ADDRESS = '127.0.0.1'
/** Connections that say nothing for so long are closed: slow clients cannot gather. */
export const IDLE_SECONDS = 10
/** Above the API's own limit, so that a body somewhat too large still gets an answer in the envelope. */
const BODY_BYTES_CLOSED = 16 * 1024 * 1024

/**
 * The complete server, for connections that were handed over and no others: whose they are decides about limits and
 * about whose `X-Forwarded-For` is believed. Short addresses are answered here, everything else goes to the API thread.
 */
export function openFrontDoor(deps: FrontDoorDeps, { host, port, trustedProxies }: FrontDoorSettings) {
  const isGoodHost = rememberedHosts()
  const counted = deps.metrics.shortAddressAnswers
  const respond = (answer: Answer, { signal }: Request) => {
    // Counted is what is sent, and there may be nobody left to send it to.
    if (!signal.aborted) counted[answer.status].add()
    return asResponse(answer)
  }
  return Bun.serve({
    hostname: host,
    port,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: BODY_BYTES_CLOSED,
    // Otherwise Bun answers an exception with a page that shows the source.
    development: false,
    fetch(request, server) {
      const header = (name: string) => request.headers.get(name)
      if (!isGoodHost(header('host'))) return plainAnswer(400, 'The Host header is missing or malformed.')
      const from = server.requestIP(request)
      const peer = from?.address === LANE_ADDRESS ? deps.peers.get(from.port) : undefined
      if (peer === undefined) return plainAnswer(403, 'This port is for connections of the service itself.')
      const ip =
        trustedProxies === undefined
          ? plainIp(peer)
          : clientIp(peer, header('x-forwarded-for'), trustedProxies)
      const target = targetOf(request.url)
      const code = codeOf(target)
      if (code === undefined) return forward(deps, { request, server }, { target, ip, peer })
      const answer = openLink(deps.openLink, { method: request.method, header, code, ip })
      if (!(answer instanceof Promise)) return respond(answer, request)
      return waitFor(answer, { request, server }).then((found) => respond(found, request))
    },
    error(error) {
      counted[500].add()
      return plainAnswer(500, FAULT_MESSAGE, { 'X-Request-Id': logFault(deps.log, error) })
    },
  })
}

type Exchange = { request: Request; server: Pick<Server<unknown>, 'timeout'> }

async function forward(
  deps: FrontDoorDeps,
  exchange: Exchange,
  origin: Pick<ApiRequest, 'target' | 'ip' | 'peer'>,
) {
  const body = await readBody(exchange.request)
  const { method, headers, signal } = exchange.request
  const response = await waitFor(deps.api.ask({ method, headers: [...headers], body, ...origin }), exchange)
  // Nobody is left to read it; one that is streamed would wait for ever.
  if (signal.aborted) void response.body?.cancel()
  // It may not have been read to its end.
  if (body === 'too-large') response.headers.set('Connection', 'close')
  return response
}

/** While it is the service that is silent, the connection is not closed: its client could not know what was done. */
async function waitFor<T>(answer: Promise<T>, { request, server }: Exchange): Promise<T> {
  server.timeout(request, 0)
  try {
    return await answer
  } finally {
    server.timeout(request, IDLE_SECONDS)
  }
}
