import { connect, type Socket } from 'node:net'

/** What came back over a socket on which nobody mends the bytes. Header names in lower case. */
export type RawAnswer = {
  /** Of the first answer; 0 when the connection was closed without one. */
  status: number
  headers: Record<string, string>
  body: string
  /** Everything, as Latin-1. */
  text: string
  /** Status lines in all. */
  answers: number
  isClosed: boolean
  /** Nothing at all came until the guard ended it. */
  hasHung: boolean
}

export type RawOptions = {
  /** The address to come from; any of 127.0.0.0/8. */
  from?: string
  /** Sent again and again behind the request, until the server has had enough. */
  trickle?: { text: string; everyMs: number }
}

/** Far above what any answer takes. */
const HANG_MS = 25_000
/** After an answer that is complete: what else may come, such as the answer to a request that was smuggled in. */
const GRACE_MS = 20

/** Sends bytes (a text is Latin-1, so that every byte can be written) and reads until nothing more comes. */
export function sendRaw(url: string, request: string | Buffer, options: RawOptions = {}): Promise<RawAnswer> {
  const { from, trickle } = options
  const port = Number(new URL(url).port)
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', ...(from === undefined ? {} : { localAddress: from }) })
    const end = endOnce(socket, resolve)
    let text = ''
    let grace: Timer | undefined
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      clearTimeout(grace)
      if (trickle === undefined && isComplete(text)) grace = setTimeout(() => end(text, {}), GRACE_MS)
    })
    socket.on('close', () => end(text, { isClosed: true }))
    // The server may close while we still write; 'close' follows.
    socket.on('error', () => {})
    socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request)
    const hang = setTimeout(() => end(text, { hasHung: true }), HANG_MS)
    const drip = trickle && setInterval(() => socket.write(trickle.text), trickle.everyMs)
    socket.on('close', () => {
      clearTimeout(hang)
      clearInterval(drip)
    })
  })
}

function endOnce(socket: Socket, resolve: (answer: RawAnswer) => void) {
  return (text: string, how: { isClosed?: boolean; hasHung?: boolean }) => {
    socket.destroy()
    const answers = text.match(/^HTTP\/1\.1 \d{3} /gm)?.length ?? 0
    resolve({ ...parse(text), text, answers, isClosed: false, hasHung: false, ...how })
  }
}

function isComplete(text: string): boolean {
  const { headers, body, status } = parse(text)
  return status >= 200 && (body.length >= Number(headers['content-length'] ?? 0) || status === 304)
}

function parse(text: string): Pick<RawAnswer, 'status' | 'headers' | 'body'> {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return { status: 0, headers: {}, body: '' }
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(headEnd + 4) }
}

/** A well-formed request to start from: change one thing. */
export function rawRequest(
  method: string,
  target: string,
  { headers = [], body = '' }: { headers?: string[]; body?: string } = {},
): string {
  const length = body === '' ? [] : [`Content-Length: ${body.length}`]
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, ...length]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
