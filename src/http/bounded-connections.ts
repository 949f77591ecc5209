/** What decides whether a connection may be closed to make room. */
export type Bounded = {
  /** An answer is under way: it is not closed. */
  isBusy: boolean
  /** It was answered since it was last looked at here. */
  wasAnswered: boolean
}

type Closable = { data: Bounded; end(): unknown }

/** Connections that are looked at for one newcomer; for the next one, the look goes on from there. */
const LOOKS_MAX = 1_000

/**
 * Connections that together take no more than so many file descriptors. When there is no room, those that have not
 * been answered for the longest time are closed: who asks goes on being answered, who only holds on is let go. In the
 * order of their coming, each that was answered meanwhile has another round (the clock algorithm of page replacement):
 * nothing has to be done for a connection when it is answered but to set its flag.
 */
export class BoundedConnections<Socket extends Closable> {
  readonly #filesMax: number
  readonly #crowded: () => void
  readonly #sockets = new Set<Socket>()
  #files = 0

  /** `crowded` is called whenever there is no room left for somebody. */
  constructor(filesMax: number, crowded: () => void) {
    this.#filesMax = filesMax
    this.#crowded = crowded
  }

  /** Takes one file for it. False when there is no room: it must be refused. */
  add(socket: Socket): boolean {
    if (!this.#take(1)) return false
    this.#sockets.add(socket)
    return true
  }

  /** Takes so many more for one that is here. False when there is no room: it must be closed. */
  grow(socket: Socket, files: number): boolean {
    // Out of the way meanwhile: it is not closed to make room for itself.
    this.#sockets.delete(socket)
    const isTaken = this.#take(files)
    this.#sockets.add(socket)
    return isTaken
  }

  /** It is closed, which gives its first file back. */
  delete(socket: Socket): void {
    if (this.#sockets.delete(socket)) this.#files--
  }

  /** What a connection grew by is closed too. */
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
    this.#crowded()
    let looks = 0
    for (const socket of this.#sockets) {
      if (this.#hasRoom(files)) return true
      if (looks++ === LOOKS_MAX) return false
      this.#giveRoundOrClose(socket)
    }
    return this.#hasRoom(files)
  }

  /** Who has another round goes to the end of the set, and may be met again there. */
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
