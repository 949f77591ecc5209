import type { Socket } from 'bun'

/** Bytes that one side has not taken yet, and which side must not be read meanwhile. */
type Flow = { to: Socket<any> | undefined; from: Socket<any> | undefined; waiting: Buffer[] }

/** An answer of which nothing comes for so long is taken to be out. */
const CALM_MS = 1_000

/** Where connections are handed over to, and what is told of them. */
export type HandOverTarget = {
  /** The complete server's port, on this machine. */
  port: number
  /** A client that takes nothing of what waits for it for so long is to be cut off. */
  idleSeconds: number
  /** The connection now goes on from this local port. */
  opened(localPort: number): void
  /** No longer; told once for every hand-over, with 0 when it has never gone on. */
  closed(localPort: number): void
  /** The complete server has said something. */
  answered(): void
  /** The complete server could not be reached, or passing bytes on failed. */
  failed(error: unknown): void
}

/**
 * A client's connection that a complete server has taken over: bytes are passed on both ways, unseen and unchanged,
 * and a side that takes no more stops the other one from being read. Who owns the client's socket passes its events
 * on to here, and cuts it off when it times out.
 */
export class HandOver {
  readonly #client: Socket<any>
  readonly #target: HandOverTarget
  readonly #inward: Flow
  readonly #outward: Flow
  #localPort = 0
  #spokeLast: 'client' | 'inner' = 'client'
  #clientHasEnded = false
  #clientIsGone = false
  #innerHasEnded = false
  #calm: Timer | undefined

  constructor(client: Socket<any>, target: HandOverTarget, first: Buffer) {
    this.#client = client
    this.#target = target
    this.#inward = { to: undefined, from: client, waiting: [first] }
    this.#outward = { to: client, from: undefined, waiting: [] }
    client.timeout(target.idleSeconds)
    void this.#connect().catch((error) => this.#failToConnect(error))
  }

  fromClient(bytes: Buffer): void {
    this.#spokeLast = 'client'
    pass(this.#inward, bytes)
  }

  clientDrained(): void {
    drain(this.#outward)
    this.#watchClient()
    this.#endInner()
    this.#endClient()
  }

  /** It says no more, but may still listen. */
  clientEnded(): void {
    this.#clientHasEnded = true
    this.#endInner()
  }

  clientClosed(): void {
    this.#clientIsGone = true
    this.#inward.to?.terminate()
  }

  async #connect(): Promise<void> {
    await Bun.connect({
      hostname: '127.0.0.1',
      port: this.#target.port,
      socket: {
        open: (inner) => this.#join(inner),
        data: (_, bytes) => this.#fromInner(bytes),
        drain: () => drain(this.#inward),
        close: () => this.#innerClosed(),
        error: (_, error) => this.#fail(error),
      },
    })
  }

  #join(inner: Socket): void {
    if (this.#clientIsGone) return void inner.terminate()
    this.#localPort = inner.localPort
    this.#target.opened(this.#localPort)
    this.#inward.to = inner
    this.#outward.from = inner
    this.#watchClient()
    drain(this.#inward)
  }

  #fromInner(bytes: Buffer): void {
    this.#spokeLast = 'inner'
    this.#target.answered()
    pass(this.#outward, bytes)
    this.#watchClient()
    this.#endInner()
  }

  /** The complete server watches for idle connections itself, but does not see who leaves its answers here. */
  #watchClient(): void {
    this.#client.timeout(this.#outward.waiting.length > 0 ? this.#target.idleSeconds : 0)
  }

  /**
   * Not before the answer is out: the complete server drops what it is still answering when it hears of an end. An
   * answer that has begun, and that the client takes, goes on with every turn of the event loop.
   */
  #endInner(): void {
    clearTimeout(this.#calm)
    if (!this.#clientHasEnded || this.#spokeLast === 'client' || this.#outward.waiting.length > 0) return
    this.#calm = setTimeout(() => this.#inward.to?.shutdown(), CALM_MS)
  }

  #innerClosed(): void {
    clearTimeout(this.#calm)
    this.#target.closed(this.#localPort)
    this.#innerHasEnded = true
    this.#endClient()
  }

  #endClient(): void {
    if (this.#innerHasEnded && this.#outward.waiting.length === 0) this.#client.end()
  }

  #failToConnect(error: unknown): void {
    this.#target.closed(0)
    this.#fail(error)
  }

  #fail(error: unknown): void {
    this.#target.failed(error)
    this.#client.terminate() // and with it, by its own event, the other side
  }
}

/** Writes as much as is taken; what is left waits, and the source is not read until it is gone. */
function pass(flow: Flow, bytes: Buffer): void {
  const written = flow.waiting.length > 0 || flow.to === undefined ? 0 : flow.to.write(bytes)
  if (written === bytes.length) return
  // A copy: the runtime uses the received bytes' memory again.
  flow.waiting.push(Buffer.from(bytes.subarray(Math.max(0, written))))
  flow.from?.pause()
}

function drain(flow: Flow): void {
  while (flow.waiting.length > 0) {
    const bytes = flow.waiting[0]!
    const written = Math.max(0, flow.to!.write(bytes))
    if (written < bytes.length) {
      flow.waiting[0] = bytes.subarray(written)
      return
    }
    flow.waiting.shift()
  }
  flow.from?.resume()
}
