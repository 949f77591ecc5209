import type { Socket } from 'bun'
import { LingeringClose } from './lingering-close.ts'
import { newExchange } from './message-framing.ts'

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
 * A client's connection that a complete server has taken over: bytes are passed on both ways unchanged, and a side that
 * takes no more stops the other one from being read. Requests are passed on one by one, each when the answer to the one
 * before it is out: Bun closes a connection on which another request comes while it is busy with one, so that what it
 * had done would go unanswered. Meanwhile the client is not read. Who owns the client's socket passes its events on to
 * here, and cuts it off when it times out.
 */
export class HandOver {
  readonly #client: Socket<any>
  readonly #target: HandOverTarget
  readonly #inward: Flow
  readonly #outward: Flow
  #localPort = 0
  #exchange = newExchange()
  /** Of the client, behind the request that is being answered. */
  #ahead: Buffer | undefined
  #clientHasEnded = false
  #clientIsGone = false
  #innerHasEnded = false
  #calm: Timer | undefined
  #lingering: LingeringClose | undefined

  constructor(client: Socket<any>, target: HandOverTarget, first: Buffer) {
    this.#client = client
    this.#target = target
    this.#inward = { to: undefined, from: client, waiting: [] }
    this.#outward = { to: client, from: undefined, waiting: [] }
    client.timeout(target.idleSeconds)
    this.fromClient(first)
    void this.#connect().catch((error) => this.#failToConnect(error))
  }

  fromClient(bytes: Buffer): void {
    if (this.#lingering !== undefined) return this.#lingering.hear(bytes)
    if (this.#ahead !== undefined) return void (this.#ahead = Buffer.concat([this.#ahead, bytes]))
    this.#passRequest(bytes)
    // A copy: the runtime uses the received bytes' memory again.
    if (this.#ahead !== undefined) this.#ahead = Buffer.from(this.#ahead)
  }

  clientDrained(): void {
    if (this.#lingering !== undefined) return
    if (drain(this.#outward)) this.#outward.from?.resume()
    this.#watchClient()
    this.#goOn()
    this.#endClient()
  }

  /** It says no more, but may still listen. */
  clientEnded(): void {
    this.#clientHasEnded = true
    if (this.#lingering !== undefined) return this.#lingering.hearEnd()
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
        drain: () => this.#innerDrained(),
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
    this.#innerDrained()
  }

  #innerDrained(): void {
    if (!drain(this.#inward)) return
    if (this.#ahead === undefined) this.#client.resume()
    this.#endInner()
  }

  /** What belongs to the request that is under way; what is behind it waits, and the client is not read. */
  #passRequest(bytes: Buffer): void {
    const read = this.#exchange.request.read(bytes, (part) => pass(this.#inward, part))
    if (read === bytes.length) return
    this.#ahead = bytes.subarray(read)
    this.#client.pause()
  }

  #fromInner(bytes: Buffer): void {
    this.#target.answered()
    pass(this.#outward, bytes)
    this.#exchange.answer.read(bytes)
    this.#watchClient()
    this.#goOn()
  }

  /** The complete server watches for idle connections itself, but does not see who leaves its answers here. */
  #watchClient(): void {
    this.#client.timeout(this.#outward.waiting.length > 0 ? this.#target.idleSeconds : 0)
  }

  /** To the next request, as soon as the one before is done with. */
  #goOn(): void {
    const { request, answer } = this.#exchange
    if (request.isComplete && answer.isComplete && this.#outward.waiting.length === 0) {
      const ahead = this.#ahead
      this.#exchange = newExchange()
      this.#ahead = undefined
      if (ahead !== undefined) this.#passRequest(ahead)
      if (this.#ahead === undefined && this.#inward.waiting.length === 0) this.#client.resume()
    }
    this.#endInner()
  }

  /**
   * Not before the answer is out: the complete server drops what it is still answering when it hears of an end. An
   * answer that goes on for as long as the client listens, such as live clicks, is over when nothing of it comes.
   */
  #endInner(): void {
    clearTimeout(this.#calm)
    const isPassing = this.#inward.waiting.length > 0 || this.#outward.waiting.length > 0
    if (!this.#clientHasEnded || this.#ahead !== undefined || isPassing) return
    const { request, answer } = this.#exchange
    if (answer.hasBegun) this.#calm = setTimeout(() => this.#inward.to?.shutdown(), CALM_MS)
    else if (!request.isComplete) this.#inward.to?.shutdown()
  }

  #innerClosed(): void {
    clearTimeout(this.#calm)
    this.#target.closed(this.#localPort)
    this.#innerHasEnded = true
    this.#endClient()
  }

  #endClient(): void {
    if (!this.#innerHasEnded || this.#clientIsGone || this.#outward.waiting.length > 0) return
    const { request } = this.#exchange
    const isSending = this.#ahead !== undefined || (request.hasBegun && !request.isComplete)
    if (isSending && !this.#clientHasEnded) this.#lingering = new LingeringClose(this.#client)
    else this.#client.end()
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

/** Whether nothing is left; the source may be read again then. */
function drain(flow: Flow): boolean {
  while (flow.waiting.length > 0) {
    const bytes = flow.waiting[0]!
    const written = Math.max(0, flow.to!.write(bytes))
    if (written < bytes.length) {
      flow.waiting[0] = bytes.subarray(written)
      return false
    }
    flow.waiting.shift()
  }
  return true
}
