import type { Socket } from 'bun'
import { describeError, type Log } from '../../runtime/log.ts'
import type { BoundedConnections } from '../redirect-server/bounded-connections.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import { IDLE_SECONDS } from '../api-server/api-server.ts'
import { plainParts } from '../responses/plain-response.ts'
import type { PendingRequests } from './pending-requests.ts'
import { ProxiedConnection } from './proxied-connection.ts'
import type { ProxyUpstream } from './proxy-upstream.ts'
import type { SharedPeers } from './shared-peers.ts'
import type { Connection } from '../redirect-server/visitor-connection.ts'

/** Both ends of the connection to the API server, in addition to the client's own. */
const FILES_PER_PROXIED = 2
/** The API server closes its end a few turns of its event loop later. */
const SERVER_CLOSES_MS = 10

const RETRY_SECONDS = '5'

/** The API server, as the redirect server sees it. */
export type ApiUpstream = {
  /** Resolves when it listens. */
  port: Promise<number>
  pending: PendingRequests
  peers: Pick<SharedPeers, 'set' | 'delete'>
}

type ApiProxyDeps = {
  connections: BoundedConnections<Socket<Connection>>
  api: ApiUpstream
  log: Log
  /** The last response on a connection, as it is sent. */
  textOf(response: VisitResponse, isHead: boolean): string
  /** Gives the connection back, with bytes that were received behind the last request. */
  next(socket: Socket<Connection>, unread: Buffer | undefined): void
}

/** Proxies connections of the redirect server to the API server. */
export class ApiProxy {
  readonly #deps: ApiProxyDeps

  constructor(deps: ApiProxyDeps) {
    this.#deps = deps
  }

  /** Proxies a request that begins with these bytes. */
  begin(socket: Socket<Connection>, bytes: Buffer): void {
    const connection = socket.data
    connection.unread = undefined
    if (connection.isPaused) socket.resume()
    connection.isPaused = false
    connection.hasPartOfHead = false
    if (connection.proxied !== undefined) connection.proxied.fromClient(bytes)
    else if (!this.#deps.connections.grow(socket, FILES_PER_PROXIED)) return void socket.terminate()
    else connection.proxied = new ProxiedConnection(socket, this.#upstreamOf(socket), bytes)
    if (connection.hasEnded) connection.proxied.clientEnded()
  }

  #upstreamOf(socket: Socket<Connection>): ProxyUpstream {
    const { log, connections, api, textOf, next } = this.#deps
    const connection = socket.data
    return {
      port: api.port,
      pending: api.pending,
      idleSeconds: IDLE_SECONDS,
      opened: (localPort) => api.peers.set(localPort, connection.ip),
      closed: (localPort) => {
        api.peers.delete(localPort)
        setTimeout(() => connections.giveBack(FILES_PER_PROXIED), SERVER_CLOSES_MS)
      },
      next: (unread) => next(socket, unread),
      dropped: () => void (connection.proxied = undefined),
      answered: () => void (connection.wasAnswered = true),
      unavailable: (sentence, isHead) => textOf(unavailable(sentence), isHead),
      failed: (error) => log.error('Could not proxy a connection to the API server.', describeError(error)),
    }
  }
}

const unavailable = (sentence: string): VisitResponse => ({
  status: 503,
  ...plainParts(
    { code: 'api_unavailable', message: `${sentence} Try again in a few seconds.` },
    { 'Retry-After': RETRY_SECONDS },
  ),
})
