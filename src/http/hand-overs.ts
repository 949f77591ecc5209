import type { Socket } from 'bun'
import { describeError, type Log } from '../log.ts'
import type { BoundedConnections } from './bounded-connections.ts'
import { IDLE_SECONDS } from './front-door.ts'
import { HandOver, type HandOverTarget } from './hand-over.ts'
import type { Connection } from './lane-connection.ts'

/** Both ends of the way to the complete server, beside the client's own. */
const FILES_HANDED_OVER = 2
/** Within so long the complete server hears that its end is closed, and closes it: in the event loop's next turns. */
const SERVER_HEARS_MS = 10

type HandOversDeps = {
  connections: BoundedConnections<Socket<Connection>>
  /** Whose a connection is, by the local port that it was handed over from; kept up to date here. */
  peers: Map<number, string>
  log: Log
  /** The complete server's. */
  innerPort: number
}

/** The fast lane's connections that the complete server takes over. */
export class HandOvers {
  readonly #deps: HandOversDeps

  constructor(deps: HandOversDeps) {
    this.#deps = deps
  }

  /** With the bytes that are not answered yet. */
  begin(socket: Socket<Connection>, bytes: Buffer): void {
    const connection = socket.data
    connection.ahead = undefined
    if (connection.isPaused) socket.resume()
    connection.isPaused = false
    if (!this.#deps.connections.grow(socket, FILES_HANDED_OVER)) return void socket.terminate()
    connection.handOver = new HandOver(socket, this.#targetOf(connection), bytes)
    if (connection.hasEnded) connection.handOver.clientEnded()
  }

  #targetOf(connection: Connection): HandOverTarget {
    const { peers, log, connections, innerPort } = this.#deps
    const { ip } = connection
    return {
      port: innerPort,
      idleSeconds: IDLE_SECONDS,
      opened: (localPort) => void peers.set(localPort, ip),
      closed: (localPort) => {
        peers.delete(localPort)
        setTimeout(() => connections.giveBack(FILES_HANDED_OVER), SERVER_HEARS_MS)
      },
      answered: () => void (connection.wasAnswered = true),
      failed: (error) => log.error('Could not proxy a connection to the API server.', describeError(error)),
    }
  }
}
