import { connect, type Socket } from 'node:net'

export type ClientRequest = {
  method: string
  path: string
  headers?: Record<string, string>
  body?: unknown
}

export type ClientAnswer = { status: number; headers: Record<string, string>; body: string }

/** Why there is no response: nothing listens, or the connection ended before or during the response. */
export type NoAnswer = 'refused' | 'cut before' | 'cut within'

/**
 * One connection, one request at a time, nothing ever sent twice: unlike `fetch`, which repeats a request by itself
 * when a kept connection turns out to be closed, so that what was sent could not be counted.
 */
export class KeepAliveClient {
  readonly #port: number
  readonly #connect: (port: number) => Socket
  #socket: Socket | undefined

  constructor(port: number, connect = connectPlainly) {
    this.#port = port
    this.#connect = connect
  }

  async request(request: ClientRequest): Promise<ClientAnswer | NoAnswer> {
    const socket = await this.#open()
    if (socket === undefined) return 'refused'
    const answer = await exchange(socket, requestText(request))
    if (typeof answer === 'string' || answer.headers.connection === 'close') this.close()
    return answer
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Promise<Socket | undefined> {
    const kept = this.#socket
    if (kept !== undefined && !kept.destroyed && kept.readable && kept.writable) return Promise.resolve(kept)
    return new Promise((resolve) => {
      const socket = this.#connect(this.#port)
      socket.on('error', () => resolve(undefined))
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = undefined
      })
      socket.on('connect', () => {
        this.#socket = socket
        resolve(socket)
      })
    })
  }
}

const connectPlainly = (port: number): Socket => connect({ port, host: '127.0.0.1', noDelay: true })

function requestText({ method, path, headers = {}, body }: ClientRequest): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const all: Record<string, string> = {
    Host: 'localhost',
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ...headers,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(content)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`
}

function exchange(socket: Socket, text: string): Promise<ClientAnswer | NoAnswer> {
  return new Promise((resolve) => {
    let received = ''
    const end = (answer: ClientAnswer | NoAnswer) => {
      socket.off('data', take)
      socket.off('close', cut)
      resolve(answer)
    }
    const take = (bytes: Buffer) => {
      received += bytes.toString('latin1')
      const answer = parse(received)
      if (answer !== undefined) end(answer)
    }
    const cut = () => end(received === '' ? 'cut before' : 'cut within')
    socket.on('data', take)
    socket.on('close', cut)
    socket.write(text)
  })
}

/** Undefined while something is missing. */
function parse(text: string): ClientAnswer | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = text.slice(headEnd + 4)
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined
  return { status: Number(statusLine.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() }
}
