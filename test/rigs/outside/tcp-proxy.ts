import { connect, createServer, type Server, type Socket } from 'node:net'

type Pair = { client: Socket; server: Socket }

/**
 * What stands between two ends of a network: it hands bytes on, or cuts the connections, or lets nothing through while
 * both ends believe that they are connected, as a broken network does.
 */
export class TcpProxy {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #target: number
  #state: 'open' | 'refusing' | 'silent' = 'open'

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer((client) => this.#accept(client))
  }

  static async start(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  /** The same URL with another server. */
  urlOf(url: string): string {
    const changed = new URL(url)
    changed.port = String(this.port)
    return changed.href
  }

  /** Switches to another server and closes connections to the previous one. */
  pointTo(target: number): void {
    this.#target = target
    this.#cut()
  }

  /** Closes connections and refuses new ones. */
  refuse(): void {
    this.#state = 'refusing'
    this.#cut()
  }

  /** Drops everything from now on, without an error to either side. */
  fallSilent(): void {
    this.#state = 'silent'
    for (const { client, server } of this.#pairs) {
      client.pause()
      server.pause()
    }
  }

  /** Works again. What was dropped is lost with its connections. */
  recover(): void {
    if (this.#state === 'silent') this.#cut()
    this.#state = 'open'
  }

  async stop(): Promise<void> {
    this.#cut()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #accept(client: Socket): void {
    client.on('error', () => {})
    if (this.#state === 'refusing') return void client.destroy()
    const server = connect({ port: this.#target, host: '127.0.0.1', noDelay: true })
    client.setNoDelay(true)
    const pair = { client, server }
    this.#pairs.add(pair)
    server.on('error', () => {})
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('data', (bytes) => void other.write(bytes))
      one.on('close', () => {
        other.destroy()
        this.#pairs.delete(pair)
      })
    }
    if (this.#state === 'silent') {
      client.pause()
      server.pause()
    }
  }

  #cut(): void {
    for (const { client, server } of this.#pairs) {
      client.destroy()
      server.destroy()
    }
    this.#pairs.clear()
  }
}
