import type { Socket } from 'bun'
import { clientIp, plainIp } from '../clicks/client-ip.ts'
import type { Clock } from '../clock.ts'
import { describeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type Answer, asText } from '../redirect/answer.ts'
import { faultOfOurs } from '../redirect/notices.ts'
import { openLink } from '../redirect/open-link.ts'
import { type Bounded, BoundedConnections } from './bounded-connections.ts'
import { crowdWarning } from './crowd-warning.ts'
import { endConnections } from './end-connections.ts'
import { type FrontDoorDeps, type FrontDoorSettings, IDLE_SECONDS } from './front-door.ts'
import { HandOver, type HandOverTarget } from './hand-over.ts'
import { httpDates } from './http-date.ts'
import { FAULT_MESSAGE, logFault } from './plain-answer.ts'
import { codeOf, rememberedHosts } from './targets.ts'
import { isBeginningOfHead, readRequestHead, type RequestHead } from './request-head.ts'

/** What a client may send ahead while it waits for an answer. */
const AHEAD_BYTES_MAX = 65_536
/** Both ends of the way to the complete server, beside the client's own. */
const FILES_HANDED_OVER = 2
/** Within so long the complete server hears that its end is closed, and closes it: in the event loop's next turns. */
const SERVER_HEARS_MS = 10

export type FastLaneDeps = Pick<FrontDoorDeps, 'openLink' | 'log'> & {
  clock: Clock
  metrics: Pick<Metrics, 'shortAddressAnswers' | 'connections'>
  /** Whose a connection is, by the local port that it was handed over from; kept up to date here. */
  peers: Map<number, string>
}

export type FastLaneSettings = FrontDoorSettings & {
  innerPort: number
  /** Other processes of this machine listen on the port too, and the system spreads the connections over them. */
  sharesPort: boolean
  /** File descriptors that all connections may take together. */
  filesMax: number
}

type Connection = Bounded & {
  ip: string
  /** Undefined while the lane answers itself. */
  handOver: HandOver | undefined
  /** The client says no more, but may still listen. */
  hasEnded: boolean
  /** Sent before the answer to the last request was out, or the beginning of a head of which the rest is missing. */
  ahead: Buffer | undefined
}

export type FastLane = {
  port: number
  /** From here on every connection ends with its next answer. */
  announceStop(): void
  stop(): Promise<void>
}

/**
 * Answers plain requests for short addresses without building what a request of any kind would need: a third of the
 * cost. A connection on which anything else is asked for (the API, a page, a body, with a head that is in any way
 * unusual) is handed over to the complete server and stays there. It has to have its head whole by then: who sends one
 * little by little takes no more than a connection here, and has ten seconds for it.
 */
export function openFastLane(deps: FastLaneDeps, settings: FastLaneSettings): FastLane {
  const lane = new Lane(deps, settings)
  // Known to the runtime, but not to its types.
  const sharing = { reusePort: settings.sharesPort } as object
  const listener = Bun.listen<Connection>({
    ...sharing,
    hostname: settings.host,
    port: settings.port,
    // A client may say that it asks nothing more, and still wait for its answer.
    allowHalfOpen: true,
    socket: {
      open: (socket) => lane.open(socket),
      data: (socket, bytes) => lane.hear(socket, bytes),
      end: (socket) => lane.hearEnd(socket),
      drain: (socket) => socket.data.handOver?.clientDrained(),
      close: (socket) => lane.close(socket),
      error: (socket, error) => lane.fail(socket, error),
      timeout: (socket) => lane.timeOut(socket),
    },
  })
  return {
    port: listener.port,
    announceStop: () => lane.announceStop(),
    async stop() {
      listener.stop()
      await lane.finish()
    },
  }
}

class Lane {
  readonly #deps: FastLaneDeps
  readonly #settings: FastLaneSettings
  readonly #isGoodHost = rememberedHosts()
  readonly #connections: BoundedConnections<Socket<Connection>>
  readonly #httpDate: () => string
  #isStopping = false

  constructor(deps: FastLaneDeps, settings: FastLaneSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#httpDate = httpDates(deps.clock)
    this.#connections = new BoundedConnections(settings.filesMax, crowdWarning(deps, settings.filesMax))
  }

  open(socket: Socket<Connection>): void {
    // Against its type, the address is undefined when the client has gone before it was let in.
    const ip = plainIp(socket.remoteAddress ?? '')
    const state = { isBusy: false, wasAnswered: false, hasEnded: false }
    socket.data = { ip, ...state, handOver: undefined, ahead: undefined }
    if (ip === '' || !this.#connections.add(socket)) return void socket.terminate()
    socket.timeout(IDLE_SECONDS)
    this.#deps.metrics.connections.set(this.#connections.size)
  }

  close(socket: Socket<Connection>): void {
    this.#connections.delete(socket)
    this.#deps.metrics.connections.set(this.#connections.size)
    socket.data.handOver?.clientClosed()
  }

  hear(socket: Socket<Connection>, bytes: Buffer): void {
    const connection = socket.data
    if (connection.handOver !== undefined) return connection.handOver.fromClient(bytes)
    const { ahead } = connection
    if (!connection.isBusy && ahead === undefined) return this.#take(socket, bytes)
    connection.ahead = Buffer.concat([ahead ?? Buffer.alloc(0), bytes])
    if (!connection.isBusy) return this.#take(socket, connection.ahead)
    if (connection.ahead.length > AHEAD_BYTES_MAX) socket.terminate()
  }

  hearEnd(socket: Socket<Connection>): void {
    const connection = socket.data
    connection.hasEnded = true
    if (connection.handOver !== undefined) return connection.handOver.clientEnded()
    if (!connection.isBusy) socket.end()
  }

  /** An answer may wait for a slow disk; a client may not wait for ever to ask, or to take what it asked for. */
  timeOut(socket: Socket<Connection>): void {
    if (socket.data.handOver !== undefined) return socket.terminate()
    if (socket.data.isBusy) return socket.timeout(IDLE_SECONDS)
    socket.end()
  }

  /** A fault of ours: one connection ends by it, and nothing else. */
  fail(socket: Socket<Connection>, error: unknown): void {
    this.#deps.log.error('A connection failed.', describeError(error))
    socket.terminate()
  }

  announceStop(): void {
    this.#isStopping = true
  }

  async finish(): Promise<void> {
    this.#isStopping = true
    await endConnections(this.#connections, this.#deps.clock)
  }

  #take(socket: Socket<Connection>, bytes: Buffer): void {
    const head = readRequestHead(bytes)
    const code = head !== undefined && this.#isGoodHost(head.host) ? codeOf(head.target) : undefined
    if (head === undefined && isBeginningOfHead(bytes)) return this.#awaitRest(socket, bytes)
    socket.data.ahead = undefined
    if (head === undefined || code === undefined) return this.#handOver(socket, bytes)
    const answer = this.#open(socket, head, code)
    if (answer === undefined) return this.#handOver(socket, bytes)
    if (!(answer instanceof Promise)) return this.#answer(socket, head, answer)
    socket.data.isBusy = true
    void answer
      .catch((error) => this.#faultOf(error))
      .then((answer) => this.#answer(socket, head, answer))
      .catch((error) => this.fail(socket, error))
  }

  /** Undefined when it fails: the complete server then says so, in the way it does. */
  #open(socket: Socket<Connection>, { method, header }: RequestHead, code: string) {
    const { trustedProxies } = this.#settings
    const peer = socket.data.ip
    const ip = trustedProxies === undefined ? peer : clientIp(peer, header('x-forwarded-for'), trustedProxies)
    try {
      return openLink(this.#deps.openLink, { method, header, code, ip })
    } catch {
      return undefined
    }
  }

  /** The head is not at hand any more for the complete server, so what that says is said here. */
  #faultOf(error: unknown): Answer {
    return faultOfOurs(FAULT_MESSAGE, logFault(this.#deps.log, error))
  }

  #answer(socket: Socket<Connection>, head: RequestHead, answer: Answer): void {
    const connection = socket.data
    const { ahead, hasEnded } = connection
    connection.isBusy = false
    connection.wasAnswered = true
    this.#deps.metrics.shortAddressAnswers[answer.status].add()
    const closes = head.closes || this.#isStopping || (hasEnded && ahead === undefined)
    const text = asText(answer, { date: this.#httpDate(), closes, isHead: head.method === 'HEAD' })
    const length = answer.body === '' ? text.length : Buffer.byteLength(text)
    // A client that does not even take so little does not read what it asked for.
    if (socket.write(text) < length) return void socket.terminate()
    if (closes) return void socket.end()
    socket.timeout(IDLE_SECONDS)
    connection.ahead = undefined
    if (ahead !== undefined) this.#take(socket, ahead)
  }

  /** From its first byte on, a head has ten seconds, however often a little more of it comes. */
  #awaitRest(socket: Socket<Connection>, bytes: Buffer): void {
    const connection = socket.data
    if (connection.hasEnded) return void socket.end()
    if (connection.ahead === undefined) socket.timeout(IDLE_SECONDS)
    connection.ahead = bytes
  }

  #handOver(socket: Socket<Connection>, bytes: Buffer): void {
    const connection = socket.data
    if (!this.#connections.grow(socket, FILES_HANDED_OVER)) return void socket.terminate()
    connection.handOver = new HandOver(socket, this.#targetOf(connection), Buffer.from(bytes))
    if (connection.hasEnded) connection.handOver.clientEnded()
  }

  #targetOf(connection: Connection): HandOverTarget {
    const { peers, log } = this.#deps
    const { ip } = connection
    return {
      port: this.#settings.innerPort,
      idleSeconds: IDLE_SECONDS,
      opened: (localPort) => void peers.set(localPort, ip),
      closed: (localPort) => {
        peers.delete(localPort)
        setTimeout(() => this.#connections.giveBack(FILES_HANDED_OVER), SERVER_HEARS_MS)
      },
      answered: () => void (connection.wasAnswered = true),
      failed: (error) => log.error('A connection could not be handed over.', describeError(error)),
    }
  }
}
