import type { Socket } from 'bun'

/** What a client may still be sending is read and dropped, up to so much. */
const BYTES_MAX = 16 * 1024 * 1024
const SECONDS_MAX = 10

/**
 * The end of a connection on which there is more to be read. Closed at once, the system would reset it, and the client
 * could lose an answer that it has not read yet (RFC 9112 §9.6). So the client is told that nothing more comes, and
 * what it still sends is dropped until it ends too; not for ever, and not without end. Who owns the socket passes its
 * events on to here, and cuts it off when it times out.
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

  hear(bytes: Buffer): void {
    this.#bytesLeft -= bytes.length
    if (this.#bytesLeft < 0) this.#socket.terminate()
  }

  hearEnd(): void {
    this.#socket.end()
  }
}
