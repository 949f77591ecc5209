import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { freePort } from '../free-port.ts'

/**
 * - `before`: the connection ends, and the server gets nothing
 * - `after`: it ends when the server has done what was sent
 * - `late`: it ends at once, and the server gets the statement with `release`
 */
type Cut = { text: RegExp; when: 'before' | 'after' | 'late' }

/** Stands between Tern and ClickHouse, and cuts connections. */
export class ClickHouseProxy {
  /** Each cuts the next connection whose statement matches. */
  readonly cuts: Cut[] = []
  readonly #port = freePort()
  readonly #server: Server
  readonly #late: (() => Promise<unknown>)[] = []

  constructor(readonly serverUrl: string) {
    this.#server = createServer((request, response) => void this.#pass(request, response))
    this.#server.listen(this.#port, '127.0.0.1')
  }

  /** Of the same database through this proxy. */
  urlOf(url: string): string {
    return url.replace(/\/\/([^@/]*@)?[^/]+/, `//$1127.0.0.1:${this.#port}`)
  }

  /** What came late reaches the server. */
  async release(): Promise<void> {
    for (const send of this.#late.splice(0)) await send()
  }

  stop(): void {
    this.#server.close()
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new Uint8Array(await buffer(request))
    const headers = Object.entries(request.headers).filter(
      ([name]) => name.startsWith('x-') || name === 'content-type',
    )
    const send = () =>
      fetch(new URL(request.url!, this.serverUrl), {
        method: 'POST',
        headers: Object.fromEntries(headers) as Record<string, string>,
        body,
        keepalive: false,
      })
    const text = new URL(request.url!, this.serverUrl).searchParams.get('query') ?? ''
    const place = this.cuts.findIndex((cut) => cut.text.test(text))
    const [cut] = place === -1 ? [] : this.cuts.splice(place, 1)
    if (cut?.when === 'late') this.#late.push(send)
    if (cut?.when === 'after') await (await send()).text()
    if (cut !== undefined) return void request.socket.destroy()
    const answer = await send()
    const code = answer.headers.get('x-clickhouse-exception-code')
    response.writeHead(answer.status, code === null ? {} : { 'X-ClickHouse-Exception-Code': code })
    response.end(await answer.text())
  }
}
