import type { Socket } from 'bun'

/** Bytes read and dropped from a client that is still sending. */
const BYTES_MAX = 16 * 1024 * 1024
const SECONDS_MAX = 10

/**
 * Closes a connection on which the client is still sending. If it were closed at once, the system would reset it, and the
 * client could lose a response that it has not read yet (RFC 9112 §9.6). So only our side is closed, and what the client
 * still sends is dropped until it closes too, within limits. The owner of the socket passes its events on and terminates it
 * when it times out.
 */
export class LingeringClose {
  readonly #socket: Socket<any>
  #bytesLeft = BYTES_MAX

  constructor(socket: Socket<any>, secondsMax = SECONDS_MAX) {
    this.#socket = socket
    socket.shutdown()
    socket.timeout(secondsMax)
    socket.resume()
  }

  receive(bytes: Buffer): void {
    this.#bytesLeft -= bytes.length
    if (this.#bytesLeft < 0) this.#socket.terminate()
  }

  clientEnded(): void {
    this.#socket.end()
  }
}
