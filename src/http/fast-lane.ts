import type { Socket } from 'bun'
import { clientIp, plainIp } from '../clicks/client-ip.ts'
import type { Clock } from '../clock.ts'
import { describeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type Answer, asText } from '../redirect/answer.ts'
import { faultOfOurs } from '../redirect/notices.ts'
import { openLink } from '../redirect/open-link.ts'
import { AnswerSender } from './answer-sender.ts'
import { BoundedConnections } from './bounded-connections.ts'
import { crowdWarning } from './crowd-warning.ts'
import { endConnections } from './end-connections.ts'
import { type FrontDoorDeps, type FrontDoorSettings, IDLE_SECONDS } from './front-door.ts'
import { HandOvers } from './hand-overs.ts'
import { httpDates } from './http-date.ts'
import { type Connection, newConnection } from './lane-connection.ts'
import { FAULT_MESSAGE, logFault } from './plain-answer.ts'
import { codeOf, rememberedHosts } from './targets.ts'
import { completesLine, isBeginningOfHead, readRequestHead, type RequestHead } from './request-head.ts'

export type FastLaneDeps = Pick<FrontDoorDeps, 'openLink' | 'log'> & {
  clock: Clock
  metrics: Pick<Metrics, 'shortAddressAnswers' | 'connections'>
  /** Whose a connection is, by the local port that it was handed over from. */
  peers: Map<number, string>
}

export type FastLaneSettings = FrontDoorSettings & {
  innerPort: number
  /** Other processes of this machine listen on the port too, and the system spreads the connections over them. */
  sharesPort: boolean
  /** File descriptors that all connections may take together. */
  filesMax: number
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
 *
 * Of requests that come ahead of their turn, each is read when the answer before it has been sent, and their client is
 * not read meanwhile. So nobody is counted whom an answer can no longer be sent to.
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
      drain: (socket) => lane.drain(socket),
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
  readonly #sender: AnswerSender
  readonly #handOvers: HandOvers
  #isStopping = false

  constructor(deps: FastLaneDeps, settings: FastLaneSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#httpDate = httpDates(deps.clock)
    this.#sender = new AnswerSender(deps.metrics.shortAddressAnswers)
    this.#connections = new BoundedConnections(settings.filesMax, crowdWarning(deps, settings.filesMax))
    this.#handOvers = new HandOvers({ ...deps, ...settings, connections: this.#connections })
  }

  open(socket: Socket<Connection>): void {
    // Against its type, the address is undefined when the client has gone before it was let in.
    const ip = plainIp(socket.remoteAddress ?? '')
    socket.data = newConnection(ip)
    if (ip === '' || !this.#connections.add(socket)) return void socket.terminate()
    socket.timeout(IDLE_SECONDS)
    this.#deps.metrics.connections.set(this.#connections.size)
  }

  close(socket: Socket<Connection>): void {
    const connection = socket.data
    this.#connections.delete(socket)
    this.#deps.metrics.connections.set(this.#connections.size)
    // Whom nobody can answer any more is not counted.
    connection.ahead = undefined
    connection.handOver?.clientClosed()
  }

  hear(socket: Socket<Connection>, bytes: Buffer): void {
    const connection = socket.data
    const { handOver, lingering, ahead } = connection
    if (handOver !== undefined) return handOver.fromClient(bytes)
    if (lingering !== undefined) return lingering.hear(bytes)
    if (connection.isBusy) return this.#keepAhead(socket, bytes)
    connection.ahead = ahead === undefined ? bytes : Buffer.concat([ahead, bytes])
    if (ahead === undefined || completesLine(bytes, connection.ahead.length)) this.#readOn(socket)
    // A copy: the runtime uses the received bytes' memory again.
    if (connection.ahead !== undefined && ahead === undefined)
      connection.ahead = Buffer.from(connection.ahead)
  }

  drain(socket: Socket<Connection>): void {
    const { handOver, unsent } = socket.data
    if (handOver !== undefined) return handOver.clientDrained()
    if (unsent !== undefined && this.#sender.sendRest(socket, unsent)) this.#readOn(socket)
  }

  hearEnd(socket: Socket<Connection>): void {
    const connection = socket.data
    connection.hasEnded = true
    if (connection.handOver !== undefined) return connection.handOver.clientEnded()
    if (connection.lingering !== undefined) return connection.lingering.hearEnd()
    if (!connection.isBusy) socket.end()
  }

  /** An answer may wait for a slow disk; a client may not wait for ever to ask, or to take what it asked for. */
  timeOut(socket: Socket<Connection>): void {
    const { handOver, lingering, unsent, isBusy } = socket.data
    if (handOver !== undefined || lingering !== undefined || unsent !== undefined) return socket.terminate()
    if (isBusy) return socket.timeout(IDLE_SECONDS)
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

  /** One read brings no more than half a megabyte, and there is no other one until this is answered. */
  #keepAhead(socket: Socket<Connection>, bytes: Buffer): void {
    const connection = socket.data
    connection.ahead = Buffer.concat([connection.ahead ?? Buffer.alloc(0), bytes])
    connection.isPaused = true
    socket.pause()
  }

  /** Reads the requests that have come, up to one that has to be waited for. */
  #readOn(socket: Socket<Connection>): void {
    const connection = socket.data
    while (connection.ahead !== undefined && !connection.isBusy) {
      if (!this.#take(socket, connection.ahead)) break
    }
    if (connection.isPaused && !connection.isBusy) {
      connection.isPaused = false
      socket.resume()
    }
  }

  /** Whether there was a whole request. */
  #take(socket: Socket<Connection>, bytes: Buffer): boolean {
    const connection = socket.data
    const head = readRequestHead(bytes)
    if (head === undefined && isBeginningOfHead(bytes)) return this.#awaitRest(socket)
    const code = head !== undefined && this.#isGoodHost(head.host) ? codeOf(head.target) : undefined
    const answer = head === undefined || code === undefined ? undefined : this.#open(socket, head, code)
    if (head === undefined || answer === undefined) {
      this.#handOvers.begin(socket, bytes)
      return true
    }
    connection.ahead = head.length === bytes.length ? undefined : bytes.subarray(head.length)
    connection.hasPartOfHead = false
    if (answer instanceof Promise) this.#answerLater(socket, head, answer)
    else this.#answer(socket, head, answer)
    return true
  }

  #answerLater(socket: Socket<Connection>, head: RequestHead, answer: Promise<Answer>): void {
    socket.data.isBusy = true
    void answer
      .catch((error) => this.#faultOf(error))
      .then((answer) => {
        this.#answer(socket, head, answer)
        this.#readOn(socket)
      })
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
    const { hasEnded, ahead } = socket.data
    const closes = head.closes || this.#isStopping || (hasEnded && ahead === undefined)
    const text = asText(answer, { date: this.#httpDate(), closes, isHead: head.method === 'HEAD' })
    this.#sender.send(socket, text, { status: answer.status, closes })
  }

  /** From its first byte on, a head has ten seconds, however often a little more of it comes. */
  #awaitRest(socket: Socket<Connection>): false {
    const connection = socket.data
    if (connection.hasEnded) socket.end()
    else if (!connection.hasPartOfHead) socket.timeout(IDLE_SECONDS)
    connection.hasPartOfHead = true
    return false
  }
}
