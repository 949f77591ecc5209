/** What decides whether a connection may be closed to make room. */
export type Bounded = {
  /** How many file descriptors it takes. */
  files: number
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

  /** False when there is no room for it: it must be refused. */
  add(socket: Socket): boolean {
    if (!this.#hasRoom(socket) && !this.#makeRoom(socket)) return false
    this.#sockets.add(socket)
    this.#files += socket.data.files
    return true
  }

  /** It takes so many files from now on. False when there is no room for that: it is left out, and must be closed. */
  grow(socket: Socket, files: number): boolean {
    this.delete(socket)
    socket.data.files = files
    return this.add(socket)
  }

  delete(socket: Socket): void {
    if (this.#sockets.delete(socket)) this.#files -= socket.data.files
  }

  get size(): number {
    return this.#sockets.size
  }

  [Symbol.iterator](): Iterator<Socket> {
    return this.#sockets[Symbol.iterator]()
  }

  #hasRoom({ data }: Socket): boolean {
    return this.#files + data.files <= this.#filesMax
  }

  #makeRoom(newcomer: Socket): boolean {
    this.#crowded()
    let looks = 0
    // Who has another round is at the end of the set then, and met again there.
    for (const socket of this.#sockets) {
      if (this.#hasRoom(newcomer)) return true
      if (looks++ === LOOKS_MAX) return false
      this.delete(socket)
      if (socket.data.isBusy || socket.data.wasAnswered) this.#giveRound(socket)
      else socket.end()
    }
    return this.#hasRoom(newcomer)
  }

  #giveRound(socket: Socket): void {
    socket.data.wasAnswered = false
    this.#sockets.add(socket)
    this.#files += socket.data.files
  }
}
