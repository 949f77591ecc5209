import type { Socket } from 'bun'
import type { Metrics } from '../metrics.ts'
import { IDLE_SECONDS } from './front-door.ts'
import type { Connection, Sent, Unsent } from './lane-connection.ts'
import { LingeringClose } from './lingering-close.ts'

/**
 * Sends the fast lane's answers, as fast as their clients take them, counts each once it is sent, and ends the connection
 * with the last one. A connection is busy until its answer is sent.
 */
export class AnswerSender {
  readonly #counted: Metrics['shortAddressAnswers']

  constructor(counted: Metrics['shortAddressAnswers']) {
    this.#counted = counted
  }

  send(socket: Socket<Connection>, text: string, sent: Sent): void {
    const written = socket.write(text)
    if (written === Buffer.byteLength(text)) return this.#finish(socket, sent)
    this.#sendLater(socket, { ...sent, bytes: Buffer.from(text).subarray(Math.max(0, written)) })
  }

  /** There is room for more of it. Whether it is sent now. */
  sendRest(socket: Socket<Connection>, unsent: Unsent): boolean {
    const written = Math.max(0, socket.write(unsent.bytes))
    const bytes = unsent.bytes.subarray(written)
    if (bytes.length === 0) this.#finish(socket, unsent)
    else if (written > 0) this.#sendLater(socket, { ...unsent, bytes })
    return bytes.length === 0
  }

  /** Whoever makes no room for more of it within that time is cut off. */
  #sendLater(socket: Socket<Connection>, unsent: Unsent): void {
    socket.data.isBusy = true
    socket.data.unsent = unsent
    socket.timeout(IDLE_SECONDS)
  }

  #finish(socket: Socket<Connection>, { status, closes }: Sent): void {
    const connection = socket.data
    connection.isBusy = false
    connection.wasAnswered = true
    connection.unsent = undefined
    this.#counted[status].add()
    if (closes) this.#end(socket)
    else socket.timeout(IDLE_SECONDS)
  }

  /** Requests behind the last one that is answered are dropped, and were not done: their client may send them again. */
  #end(socket: Socket<Connection>): void {
    const connection = socket.data
    const isSending = connection.ahead !== undefined || connection.isPaused
    connection.ahead = undefined
    if (isSending) connection.lingering = new LingeringClose(socket)
    else socket.end()
  }
}
