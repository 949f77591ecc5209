/** What decides whether a connection may be closed to make room. */
export type Bounded = {
  /** It waits for a response, so it is not closed. */
  isBusy: boolean
  /** It got a response since it was last checked here. */
  wasAnswered: boolean
}

type Closable = { data: Bounded; end(): unknown }

/** Connections that are checked for one new connection. The next one continues from there. */
const CHECKS_MAX = 1_000

/**
 * Connections with a limit on the file descriptors that they take together. When there is no room, those without a
 * response for the longest time are closed, so idle connections make room for active ones. They are checked in the order
 * in which they were opened, and one that got a response gets another round (the clock algorithm of page replacement).
 * So a response only sets a flag.
 */
export class BoundedConnections<Socket extends Closable> {
  readonly #filesMax: number
  readonly #onFull: () => void
  readonly #sockets = new Set<Socket>()
  #files = 0

  /** `onFull` is called whenever there is no room for a connection. */
  constructor(filesMax: number, onFull: () => void) {
    this.#filesMax = filesMax
    this.#onFull = onFull
  }

  /** Takes one file. False if there is no room and the connection must be refused. */
  add(socket: Socket): boolean {
    if (!this.#take(1)) return false
    this.#sockets.add(socket)
    return true
  }

  /** Takes more files for an open connection. False if there is no room and it must be closed. */
  grow(socket: Socket, files: number): boolean {
    // Removed first, so that it is not closed to make room for itself.
    this.#sockets.delete(socket)
    const isTaken = this.#take(files)
    this.#sockets.add(socket)
    return isTaken
  }

  /** Call it when the connection is closed. Returns its first file. */
  delete(socket: Socket): void {
    if (this.#sockets.delete(socket)) this.#files--
  }

  /** Returns the files that a connection grew by. */
  giveBack(files: number): void {
    this.#files -= files
  }

  get size(): number {
    return this.#sockets.size
  }

  [Symbol.iterator](): Iterator<Socket> {
    return this.#sockets[Symbol.iterator]()
  }

  #take(files: number): boolean {
    if (!this.#hasRoom(files) && !this.#makeRoom(files)) return false
    this.#files += files
    return true
  }

  #hasRoom(files: number): boolean {
    return this.#files + files <= this.#filesMax
  }

  #makeRoom(files: number): boolean {
    this.#onFull()
    let checks = 0
    for (const socket of this.#sockets) {
      if (this.#hasRoom(files)) return true
      if (checks++ === CHECKS_MAX) return false
      this.#giveRoundOrClose(socket)
    }
    return this.#hasRoom(files)
  }

  /** A connection that gets another round moves to the end of the set. */
  #giveRoundOrClose(socket: Socket): void {
    this.#sockets.delete(socket)
    if (socket.data.isBusy || socket.data.wasAnswered) {
      socket.data.wasAnswered = false
      this.#sockets.add(socket)
    } else {
      this.#files--
      socket.end()
    }
  }
}
