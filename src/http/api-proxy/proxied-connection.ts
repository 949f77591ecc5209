import type { Socket } from 'bun'
import { LingeringClose } from '../redirect-server/lingering-close.ts'
import { drain, type Flow, pass } from './flow.ts'
import { newExchange } from './message-framing.ts'
import type { Pending } from './pending-requests.ts'
import type { ProxyUpstream } from './proxy-upstream.ts'

/** A response without an end of its own, such as live clicks, is over when nothing comes for this long. */
const CALM_MS = 1_000
/** The sockets of a thread that dies close this long before its end is reported, at most. */
const FAILURE_REPORTED_MS = 200

/**
 * Proxies requests of one client connection to the API server, one at a time: Bun closes a connection that receives a
 * request while it is busy with another. Bytes are passed on unchanged, and a side that takes no more pauses the other.
 * The owner of the client's socket passes its events on to here while `isBusy`, and disconnects it when it times out.
 *
 *   busy ──(response sent)──▶ idle ──(the redirect server reads on)──▶ parked ──(another request for the API)──▶ busy
 *   busy ──(given up)──▶ lingering
 */
export class ProxiedConnection {
  readonly #client: Socket<any>
  readonly #upstream: ProxyUpstream
  readonly #inward: Flow
  readonly #outward: Flow
  #localPort = 0
  #exchange = newExchange()
  #requestBytes = 0
  #pending: Pending | undefined
  /** Received from the client behind the request that is being answered. */
  #unread: Buffer | undefined
  #clientHasEnded = false
  #clientIsGone = false
  #innerHasEnded = false
  #isClosed = false
  #isParked = false
  #isGivenUp = false
  /** The API server ends the connection. */
  #isLast = false
  #calm: Timer | undefined
  #lingering: LingeringClose | undefined

  constructor(client: Socket<any>, upstream: ProxyUpstream, first: Buffer) {
    this.#client = client
    this.#upstream = upstream
    this.#inward = { to: undefined, from: client, waiting: [] }
    this.#outward = { to: client, from: undefined, waiting: [] }
    this.fromClient(first)
    if (!this.#isGivenUp) void this.#connect().catch((error) => this.#failToConnect(error))
  }

  get isBusy(): boolean {
    const isPending = this.#exchange.request.hasBegun || this.#outward.waiting.length > 0
    return isPending || this.#isLast || this.#isGivenUp
  }

  /** The redirect server answers the client until the next request for the API. */
  park(): void {
    this.#isParked = true
  }

  fromClient(bytes: Buffer): void {
    this.#isParked = false
    if (this.#lingering !== undefined) return this.#lingering.receive(bytes)
    if (this.#unread !== undefined) return void (this.#unread = Buffer.concat([this.#unread, bytes]))
    this.#passRequest(bytes)
    // A copy: the runtime reuses the memory of received bytes.
    if (this.#unread !== undefined) this.#unread = Buffer.from(this.#unread)
    this.#watchClient()
  }

  clientDrained(): void {
    if (this.#lingering !== undefined) return
    if (drain(this.#outward)) this.#outward.from?.resume()
    this.#watchClient()
    this.#goOn()
    this.#endClient()
  }

  /** It sends no more, but may still read. */
  clientEnded(): void {
    this.#clientHasEnded = true
    if (this.#lingering !== undefined) return this.#lingering.clientEnded()
    this.#endInner()
  }

  clientClosed(): void {
    this.#clientIsGone = true
    this.#removePending()
    this.#inward.to?.terminate()
  }

  async #connect(): Promise<void> {
    await Bun.connect({
      hostname: '127.0.0.1',
      port: await this.#upstream.port,
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
    if (this.#clientIsGone || this.#isGivenUp) return void inner.terminate()
    this.#localPort = inner.localPort
    this.#upstream.opened(this.#localPort)
    this.#inward.to = inner
    this.#outward.from = inner
    this.#watchClient()
    this.#innerDrained()
  }

  #innerDrained(): void {
    if (!drain(this.#inward)) return
    if (this.#unread === undefined) this.#client.resume()
    this.#goOn()
  }

  /** Passes the rest of the current request. What follows it waits, and the client is paused. */
  #passRequest(bytes: Buffer): void {
    const { request } = this.#exchange
    const giveUp = (sentence: string) => this.#giveUp(sentence)
    if (!request.hasBegun && this.#upstream.pending.refuses(giveUp)) return
    const read = request.read(bytes, (part) => pass(this.#inward, part))
    this.#requestBytes += read
    if (request.isComplete && this.#pending === undefined) {
      this.#pending = this.#upstream.pending.add(this.#requestBytes, giveUp)
      if (this.#pending === undefined) return
    }
    if (read === bytes.length) return
    this.#unread = bytes.subarray(read)
    this.#client.pause()
  }

  #fromInner(bytes: Buffer): void {
    this.#upstream.answered()
    pass(this.#outward, bytes)
    this.#exchange.response.read(bytes)
    if (this.#exchange.response.hasBegun) this.#removePending()
    this.#watchClient()
    this.#goOn()
  }

  /** The API server closes idle connections itself, but cannot see a client that does not take a response. */
  #watchClient(): void {
    const isWatched = this.#outward.waiting.length > 0 || this.#inward.to === undefined
    this.#client.timeout(isWatched ? this.#upstream.idleSeconds : 0)
  }

  /** Continues with the next request once the response to this one has been sent. */
  #goOn(): void {
    const { request, response } = this.#exchange
    const isPassing = this.#inward.waiting.length > 0 || this.#outward.waiting.length > 0
    if (!request.isComplete || !response.isComplete || isPassing) return this.#endInner()
    const unread = this.#unread
    this.#isLast ||= this.#exchange.isLast()
    this.#exchange = newExchange()
    this.#requestBytes = 0
    this.#unread = undefined
    if (unread === undefined) {
      this.#client.resume()
      this.#endInner()
    }
    if (!this.#isLast) this.#upstream.next(unread)
    else if (unread !== undefined) this.fromClient(unread)
  }

  /**
   * Not before the response is sent: the API server drops a request whose client closes its side. A response without an end
   * of its own is over when nothing more of it arrives.
   */
  #endInner(): void {
    clearTimeout(this.#calm)
    const isPassing = this.#inward.waiting.length > 0 || this.#outward.waiting.length > 0
    if (!this.#clientHasEnded || this.#unread !== undefined || isPassing) return
    const { request, response } = this.#exchange
    if (response.hasBegun) this.#calm = setTimeout(() => this.#inward.to?.shutdown(), CALM_MS)
    else if (!request.isComplete) this.#inward.to?.shutdown()
  }

  #innerClosed(): void {
    clearTimeout(this.#calm)
    this.#close()
    this.#innerHasEnded = true
    if (this.#isParked) return this.#upstream.dropped()
    // If the API thread has died, the request is about to be given up.
    if (this.#pending === undefined) return this.#endClient()
    setTimeout(() => {
      this.#removePending()
      this.#endClient()
    }, FAILURE_REPORTED_MS)
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#upstream.closed(this.#localPort)
  }

  #endClient(): void {
    const isDone = this.#clientIsGone || this.#isGivenUp
    if (!this.#innerHasEnded || isDone || this.#outward.waiting.length > 0) return
    const { request } = this.#exchange
    const isSending = this.#unread !== undefined || (request.hasBegun && !request.isComplete)
    if (isSending && !this.#clientHasEnded) this.#lingering = new LingeringClose(this.#client)
    else this.#client.end()
  }

  #removePending(): void {
    if (this.#pending !== undefined) this.#upstream.pending.remove(this.#pending)
    this.#pending = undefined
  }

  /** Responds in place of the API server, which no longer finds a peer for the connection and executes nothing. */
  #giveUp(sentence: string): void {
    this.#isGivenUp = true
    this.#removePending()
    this.#close()
    this.#unread = undefined
    const text = this.#upstream.unavailable(sentence, this.#exchange.isHead())
    const isSent = !this.#clientIsGone && this.#client.write(text) === Buffer.byteLength(text)
    this.#inward.to?.terminate()
    if (!isSent) this.#client.terminate()
    else if (this.#clientHasEnded) this.#client.end()
    else this.#lingering = new LingeringClose(this.#client)
  }

  #failToConnect(error: unknown): void {
    this.#close()
    this.#fail(error)
  }

  #fail(error: unknown): void {
    this.#upstream.failed(error)
    this.#client.terminate() // and with it, by its own event, the other side
  }
}
