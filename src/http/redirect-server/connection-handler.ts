import type { Socket, SocketHandler } from 'bun'
import type { Metrics } from '../../metrics/metrics.ts'
import { plainIp } from '../../network/client-ip.ts'
import type { Clock } from '../../runtime/clock.ts'
import { ApiProxy, type ApiUpstream } from '../api-proxy/api-proxy.ts'
import { IDLE_SECONDS } from '../api-server/api-server.ts'
import { BoundedConnections } from './bounded-connections.ts'
import { connectionWarning } from './connection-warning.ts'
import { endConnections } from './end-connections.ts'
import { type ReaderDeps, RequestReader } from './request-reader.ts'
import { ResponseSender } from './response-sender.ts'
import { type Connection, newConnection } from './visitor-connection.ts'

export type ConnectionDeps = Pick<ReaderDeps, 'openLink' | 'log'> & {
  api: ApiUpstream
  clock: Clock
  metrics: Pick<Metrics, 'shortUrlResponses' | 'connections'>
}

export type ConnectionSettings = Pick<ReaderDeps, 'trustedProxies'> & {
  /** File descriptors that all connections may take together. */
  filesMax: number
}

/**
 * Opens, ends and closes the connections of the redirect server. It answers plain requests for short URLs at a third of
 * the cost of a general HTTP server. Anything else (an API call, a page, a body, an unusual head) is proxied to the API
 * server, request by request.
 */
export class ConnectionHandler {
  readonly #deps: ConnectionDeps
  readonly #connections: BoundedConnections<Socket<Connection>>
  readonly #sender: ResponseSender
  readonly #reader: RequestReader
  /** For the runtime. `data` leads to the reader at once: it is called for every request. */
  readonly events: SocketHandler<Connection>

  constructor(deps: ConnectionDeps, { trustedProxies, filesMax }: ConnectionSettings) {
    this.#deps = deps
    const connections = new BoundedConnections<Socket<Connection>>(
      filesMax,
      connectionWarning(deps, filesMax),
    )
    const sender = new ResponseSender(deps)
    const proxy = new ApiProxy({
      api: deps.api,
      log: deps.log,
      connections,
      textOf: (response, isHead) => sender.textOf(response, { closes: true, isHead }),
      next: (socket, unread) => reader.resume(socket, unread),
    })
    const { openLink, log } = deps
    const reader: RequestReader = new RequestReader({
      openLink,
      log,
      sender,
      trustedProxies,
      proxy: (socket, bytes) => proxy.begin(socket, bytes),
    })
    this.#connections = connections
    this.#sender = sender
    this.#reader = reader
    this.events = {
      open: (socket) => this.#open(socket),
      data: reader.receive.bind(reader),
      end: (socket) => this.#clientEnded(socket),
      drain: (socket) => this.#drain(socket),
      close: (socket) => this.#close(socket),
      error: (socket, error) => reader.fail(socket, error),
      timeout: (socket) => this.#timeOut(socket),
    }
  }

  announceStop(): void {
    this.#reader.announceStop()
  }

  async finish(): Promise<void> {
    this.#reader.announceStop()
    await endConnections(this.#connections, this.#deps.clock)
    this.#sender.stop()
  }

  #open(socket: Socket<Connection>): void {
    // Despite its type, the address is undefined if the client has disconnected already.
    const ip = plainIp(socket.remoteAddress ?? '')
    socket.data = newConnection(ip)
    if (ip === '' || !this.#connections.add(socket)) return void socket.terminate()
    socket.timeout(IDLE_SECONDS)
    this.#deps.metrics.connections.set(this.#connections.size)
  }

  #close(socket: Socket<Connection>): void {
    const connection = socket.data
    this.#connections.delete(socket)
    this.#deps.metrics.connections.set(this.#connections.size)
    // The remaining requests can no longer be answered, so they must not count.
    connection.unread = undefined
    connection.proxied?.clientClosed()
  }

  #drain(socket: Socket<Connection>): void {
    const { proxied, unsent } = socket.data
    if (proxied?.isBusy === true) return proxied.clientDrained()
    if (unsent !== undefined && this.#sender.sendRest(socket, unsent)) this.#reader.readAll(socket)
  }

  /** The client sends no more, but may still read. */
  #clientEnded(socket: Socket<Connection>): void {
    const connection = socket.data
    connection.hasEnded = true
    if (connection.proxied?.isBusy === true) return connection.proxied.clientEnded()
    if (connection.lingering !== undefined) return connection.lingering.clientEnded()
    if (!connection.isBusy) socket.end()
  }

  /** A response may wait for a slow disk. A client may neither send nor read that slowly. */
  #timeOut(socket: Socket<Connection>): void {
    const { proxied, lingering, unsent, isBusy } = socket.data
    const isStuck = proxied?.isBusy === true || lingering !== undefined || unsent !== undefined
    if (isStuck) return socket.terminate()
    if (isBusy) return socket.timeout(IDLE_SECONDS)
    socket.end()
  }
}
