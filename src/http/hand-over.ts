import type { Socket } from 'bun'

/** Bytes that one side has not taken yet, and which side must not be read meanwhile. */
type Flow = { to: Socket<any> | undefined; from: Socket<any> | undefined; waiting: Buffer[] }

/** Where connections are handed over to, and what is told of them. */
export type HandOverTarget = {
  /** The complete server's port, on this machine. */
  port: number
  /** The connection now goes on from this local port, or no longer. */
  opened(localPort: number): void
  closed(localPort: number): void
}

/**
 * A client's connection that a complete server has taken over: bytes are passed on both ways, unseen and unchanged,
 * and a side that takes no more stops the other one from being read.
 */
export class HandOver {
  readonly #client: Socket<any>
  readonly #target: HandOverTarget
  readonly #inward: Flow
  readonly #outward: Flow
  #localPort = 0
  #innerHasEnded = false

  constructor(client: Socket<any>, target: HandOverTarget, first: Buffer) {
    this.#client = client
    this.#target = target
    this.#inward = { to: undefined, from: client, waiting: [first] }
    this.#outward = { to: client, from: undefined, waiting: [] }
    client.timeout(0) // the complete server has its own
    client.pause()
    void this.#connect().catch(() => client.terminate())
  }

  fromClient(bytes: Buffer): void {
    pass(this.#inward, bytes)
  }

  clientDrained(): void {
    drain(this.#outward)
    if (this.#innerHasEnded && this.#outward.waiting.length === 0) this.#client.end()
  }

  clientClosed(): void {
    this.#inward.to?.terminate()
  }

  async #connect(): Promise<void> {
    await Bun.connect({
      hostname: '127.0.0.1',
      port: this.#target.port,
      socket: {
        open: (inner) => {
          this.#localPort = inner.localPort
          this.#target.opened(this.#localPort)
          this.#inward.to = inner
          this.#outward.from = inner
          drain(this.#inward)
        },
        data: (_, bytes) => pass(this.#outward, bytes),
        drain: () => drain(this.#inward),
        close: () => this.#innerClosed(),
        error: () => this.#innerClosed(),
      },
    })
  }

  #innerClosed(): void {
    this.#target.closed(this.#localPort)
    this.#innerHasEnded = true
    if (this.#outward.waiting.length === 0) this.#client.end()
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
