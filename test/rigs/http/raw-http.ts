import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** What a bare socket received, unmodified. Header names are in lower case. */
export type RawAnswer = {
  /** Of the first response; 0 when the connection was closed without one. */
  status: number
  headers: Record<string, string>
  body: string
  /** Everything, as Latin-1. */
  text: string
  /** Status lines in all. */
  answers: number
  isClosed: boolean
  /** Nothing was received until the timeout. */
  hasHung: boolean
}

export type RawOptions = {
  /** The local IP address; any of 127.0.0.0/8. */
  from?: string
  /** Sent repeatedly after the request, until the server closes the connection. */
  trickle?: { text: string; everyMs: number }
  /** Responses to wait for, when several requests are sent. */
  answers?: number
  /** Closes the sending side at once, so that the server does not wait for more. */
  isAll?: boolean
}

/** Far above what any response takes. */
const HANG_MS = 25_000
/** After a complete response, to see whether more arrives, such as the response to a smuggled request. */
const GRACE_MS = 20

/** Sends bytes (text is Latin-1, so that every byte can be written) and reads until nothing more arrives. */
export function sendRaw(url: string, request: string | Buffer, options: RawOptions = {}): Promise<RawAnswer> {
  const { from, trickle, answers = 1, isAll = false } = options
  const bytes = typeof request === 'string' ? Buffer.from(request, 'latin1') : request
  return new Promise((resolve) => {
    const socket = open(url, from)
    let text = ''
    let grace: Timer | undefined
    const end = (how: Partial<RawAnswer>) => {
      clearTimeout(grace)
      clearTimeout(hang)
      clearInterval(drip)
      socket.destroy()
      resolve(answerOf(text, how))
    }
    const hang = setTimeout(() => end({ hasHung: true }), HANG_MS)
    const drip = trickle && setInterval(() => socket.write(trickle.text), trickle.everyMs)
    socket.on('data', (received) => {
      text += received.toString('latin1')
      clearTimeout(grace)
      const isEnough = answers === 1 ? isComplete(text, isHead(bytes)) : countAnswers(text) >= answers
      // If it announces a close, wait for it, however busy the machine is.
      const closes = parse(text).headers.connection === 'close'
      if (trickle === undefined && isEnough && !closes) grace = setTimeout(() => end({}), GRACE_MS)
    })
    socket.on('close', () => end({ isClosed: true }))
    if (isAll) socket.end(bytes)
    else socket.write(bytes)
  })
}

/** One request after the other over one connection, which is reopened when the server has closed it. */
export class RawConnection {
  readonly #url: string
  readonly #from: string | undefined
  #socket: Socket | undefined

  constructor(url: string, from?: string) {
    this.#url = url
    this.#from = from
  }

  request(request: Buffer): Promise<RawAnswer> {
    const socket = (this.#socket ??= open(this.#url, this.#from))
    return new Promise((resolve) => {
      let text = ''
      const end = (how: Partial<RawAnswer>) => {
        clearTimeout(hang)
        socket.removeAllListeners('data')
        socket.removeAllListeners('close')
        const answer = answerOf(text, how)
        if (answer.isClosed || answer.hasHung || willClose(request, answer)) this.close()
        resolve(answer)
      }
      const hang = setTimeout(() => end({ hasHung: true }), HANG_MS)
      socket.on('data', (received) => {
        text += received.toString('latin1')
        if (isComplete(text, isHead(request))) end({})
      })
      socket.on('close', () => end({ isClosed: true }))
      if (socket.destroyed) end({ isClosed: true })
      else socket.write(request)
    })
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }
}

function open(url: string, localAddress: string | undefined): Socket {
  const port = Number(new URL(url).port)
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    ...(localAddress ? { localAddress } : {}),
  })
  // The server may close while we still write; 'close' follows.
  return socket.on('error', () => {})
}

const isHead = (request: Buffer): boolean => request.subarray(0, 5).toString() === 'HEAD '

/** The server does not always announce a close that was requested. */
const willClose = (request: Buffer, { headers }: RawAnswer): boolean =>
  headers.connection === 'close' || /^Connection: close\r$/m.test(request.toString('latin1', 0, 20_000))

/** The body need not end with a line break. */
const countAnswers = (text: string): number => text.match(/HTTP\/1\.1 [2-5]\d\d /g)?.length ?? 0

function answerOf(text: string, how: Partial<RawAnswer>): RawAnswer {
  return { ...parse(text), text, answers: countAnswers(text), isClosed: false, hasHung: false, ...how }
}

function isComplete(text: string, isOfHead: boolean): boolean {
  const { headers, body, status } = parse(text)
  const hasNoBody = isOfHead || status === 304
  if (status < 200 || hasNoBody) return status >= 200
  if (headers['transfer-encoding'] === 'chunked') return chunksIn(body) !== undefined
  return body.length >= Number(headers['content-length'] ?? 0)
}

/** A body in chunks at the beginning of the text, and how long it is with their sizes; undefined if it has no end. */
export function chunksIn(text: string): { body: string; length: number } | undefined {
  let body = ''
  for (let at = 0; ;) {
    const [head, size] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20)) ?? []
    if (head === undefined) return undefined
    const from = at + head.length
    const to = from + Number.parseInt(size!, 16)
    if (text.slice(to, to + 2) !== '\r\n') return undefined
    if (to === from) return { body, length: to + 2 }
    body += text.slice(from, to)
    at = to + 2
  }
}

const INTERIM = /^HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/

function parse(text: string): Pick<RawAnswer, 'status' | 'headers' | 'body'> {
  const final = text.replace(INTERIM, '')
  const headEnd = final.indexOf('\r\n\r\n')
  if (headEnd === -1) return { status: 0, headers: {}, body: '' }
  const [statusLine = '', ...lines] = final.slice(0, headEnd).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: final.slice(headEnd + 4) }
}

/** The body as Latin-1, without its compression: longer responses are compressed for those who accept it. */
export function contentOf({ headers, body }: Pick<RawAnswer, 'headers' | 'body'>): string {
  const encoding = headers['content-encoding']
  if (encoding === undefined || body === '') return body
  const bytes = Buffer.from(body, 'latin1')
  return (encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString('latin1')
}

/** A valid request to start from: change one thing. */
export function rawRequest(
  method: string,
  target: string,
  { headers = [], body = '' }: { headers?: string[]; body?: string } = {},
): string {
  const length = body === '' ? [] : [`Content-Length: ${body.length}`]
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, ...length]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
