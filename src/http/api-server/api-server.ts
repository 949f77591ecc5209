import type { Server } from 'bun'
import { clientIp, plainIp, type TrustedProxies } from '../../network/client-ip.ts'
import { asResponse, type VisitResponse } from '../../redirect/visit-response.ts'
import type { Log } from '../../runtime/log.ts'
import type { Visit } from '../../redirect/visit.ts'
import { behindPrefix } from '../../links/domains/behind-prefix.ts'
import { possibleVisits } from '../requests/other-visits.ts'
import { visitRequestOf } from '../requests/visit-request.ts'
import { type ReadFrom, validHosts } from '../requests/read-visit.ts'
import { ERROR_MESSAGE, logError, plainResponse } from '../responses/plain-response.ts'
import type { SentForm } from './enter-password.ts'
import { readBody } from './read-body.ts'

/** A visit, as it crosses to the redirect thread. */
export type ProxiedVisit = Omit<Visit, 'header'> & { headers: Record<string, string> }

/** Everything else. */
export type ApiRequest = {
  request: Request
  /** Path and query, as sent, without the prefix of the domain. */
  target: string
  /** '' unless it was sent with it. */
  prefix: string
  /** 'too-large': it went over the limit and was dropped. */
  body: ArrayBuffer | 'too-large' | undefined
  /** For limits only; it goes no further than memory. */
  ip: string
  /** The client of the connection, whatever the headers say. */
  peer: string
}

export type ApiServerDeps = {
  /** The first that opens a link, on the redirect thread, which has the journal. Undefined if all are guesses, and none does. */
  openLink(visits: readonly ProxiedVisit[]): Promise<VisitResponse | undefined>
  /** A form that a visitor sent to a short URL. Undefined as above. */
  enterPassword(visits: readonly Visit[], form: SentForm): Promise<VisitResponse | undefined>
  /** A response to a visit goes to a client that is still there. */
  answered(status: VisitResponse['status']): void
  handle(request: ApiRequest): Promise<Response>
  domains: ReadFrom['domains']
  log: Log
  peers: { get(port: number): string | undefined }
}

export type ApiServerSettings = {
  host: string
  port: number
  /** Undefined: nobody's `X-Forwarded-For` is read. */
  trustedProxies: TrustedProxies | undefined
}

/** Where proxied connections come from. */
const REDIRECT_SERVER_IP = '127.0.0.1'
/** Silent connections are closed after this time, so that slow clients cannot pile up. */
export const IDLE_SECONDS = 10
/** Above the API's own limit, so that a body somewhat too large still gets an answer in the envelope. */
const BODY_BYTES_CLOSED = 16 * 1024 * 1024

/**
 * The HTTP server of the API thread, for connections that the redirect server proxies and no others: their peers decide
 * about limits and about whose `X-Forwarded-For` is believed.
 */
export function openApiServer(deps: ApiServerDeps, { host, port, trustedProxies }: ApiServerSettings) {
  const isValidHost = validHosts()
  const peerOf = (request: Request, server: Server<undefined>) => {
    const from = server.requestIP(request)
    return from?.address === REDIRECT_SERVER_IP ? deps.peers.get(from.port) : undefined
  }
  return Bun.serve({
    hostname: host,
    port,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: BODY_BYTES_CLOSED,
    // Otherwise Bun answers an exception with a page that shows the source.
    development: false,
    async fetch(request, server) {
      const visitRequest = visitRequestOf(request)
      if (!isValidHost(visitRequest.host))
        return plainResponse('host_invalid', 'The Host header is missing or malformed.')
      const peer = peerOf(request, server)
      if (peer === undefined) return refuseStranger()
      const ip =
        trustedProxies === undefined
          ? plainIp(peer)
          : clientIp(peer, request.headers.get('x-forwarded-for'), trustedProxies)
      const exchange = { request, server }
      const from = { domains: deps.domains, ip }
      const visits = possibleVisits(visitRequest, from)
      const { prefix, path: target } = behindPrefix(visitRequest, deps.domains) ?? {
        ...visitRequest,
        prefix: '',
      }
      const isForm = request.method === 'POST'
      if (visits.length > 0 && !isForm) {
        const redirect = await waitFor(openLink(deps, visits, request), exchange)
        if (redirect !== undefined) return redirect
      }
      const body = await readBody(request)
      // The proxy has given up and asked the client to retry.
      if (peerOf(request, server) === undefined) return refuseStranger()
      const entered =
        visits.length > 0 && isForm
          ? waitFor(enterPassword(deps, visits, { request, body }), exchange)
          : undefined
      const response =
        (await entered) ?? (await waitFor(deps.handle({ request, target, prefix, body, ip, peer }), exchange))
      // Nobody is left to read it; one that is streamed would wait forever.
      if (request.signal.aborted) void response.body?.cancel()
      // It may not have been read to its end.
      if (body === 'too-large') response.headers.set('Connection', 'close')
      return response
    },
    error: (error) =>
      plainResponse('internal_error', ERROR_MESSAGE, { 'X-Request-Id': logError(deps.log, error) }),
  })
}

const refuseStranger = () =>
  plainResponse('private_port', 'This port is for connections of the service itself.')

async function openLink(
  deps: ApiServerDeps,
  visits: readonly Visit[],
  request: Request,
): Promise<Response | undefined> {
  const headers = Object.fromEntries(request.headers)
  const response = await deps.openLink(visits.map(({ header: _, ...parts }) => ({ ...parts, headers })))
  if (response === undefined) return undefined
  if (!request.signal.aborted) deps.answered(response.status)
  return asResponse(response)
}

async function enterPassword(
  deps: ApiServerDeps,
  visits: readonly Visit[],
  { request, body }: { request: Request; body: SentForm['body'] },
): Promise<Response | undefined> {
  const response = await deps.enterPassword(visits, { headers: request.headers, body })
  if (response === undefined) return undefined
  if (!request.signal.aborted) deps.answered(response.status)
  return asResponse(response)
}

type Exchange = { request: Request; server: Pick<Server<unknown>, 'timeout'> }

/** While the client waits for the service, its connection is not idle. */
async function waitFor<T>(response: Promise<T>, { request, server }: Exchange): Promise<T> {
  server.timeout(request, 0)
  try {
    return await response
  } finally {
    server.timeout(request, IDLE_SECONDS)
  }
}
