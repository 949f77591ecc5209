import type { Socket } from 'bun'
import type { Metrics } from '../../metrics/metrics.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { Clock } from '../../runtime/clock.ts'
import { IDLE_SECONDS } from '../api-server/api-server.ts'
import type { Connection, SentResponse, Unsent } from './visitor-connection.ts'
import { LingeringClose } from './lingering-close.ts'

const REASONS: Record<VisitResponse['status'], string> = {
  200: 'OK',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
/** The `Date` header has no more than seconds. */
const DATE_EVERY_MS = 1_000

type SenderDeps = { clock: Pick<Clock, 'nowUs'>; metrics: Pick<Metrics, 'shortUrlResponses'> }

/** `closes`: the connection ends with this response. */
type ResponseForm = { closes: boolean; isHead: boolean }

/**
 * Sends responses as fast as their clients take them, counts each after it was sent, and ends the connection after the
 * last one. A connection is busy until its response is sent.
 */
export class ResponseSender {
  readonly #deps: SenderDeps
  readonly #timer: Timer
  #date: string

  constructor(deps: SenderDeps) {
    this.#deps = deps
    this.#date = httpDate(deps.clock)
    this.#timer = setInterval(() => (this.#date = httpDate(deps.clock)), DATE_EVERY_MS)
  }

  send(socket: Socket<Connection>, response: VisitResponse, form: ResponseForm): void {
    const reply = { status: response.status, closes: form.closes }
    const text = this.textOf(response, form)
    const written = socket.write(text)
    if (written === Buffer.byteLength(text)) return this.#finish(socket, reply)
    this.#sendLater(socket, { ...reply, bytes: Buffer.from(text).subarray(Math.max(0, written)) })
  }

  textOf(response: VisitResponse, form: ResponseForm): string {
    return responseText(response, { ...form, date: this.#date })
  }

  /** The client takes more. Returns whether everything is sent now. */
  sendRest(socket: Socket<Connection>, unsent: Unsent): boolean {
    const written = Math.max(0, socket.write(unsent.bytes))
    const bytes = unsent.bytes.subarray(written)
    if (bytes.length === 0) this.#finish(socket, unsent)
    else if (written > 0) this.#sendLater(socket, { ...unsent, bytes })
    return bytes.length === 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A client that takes nothing within that time is disconnected. */
  #sendLater(socket: Socket<Connection>, unsent: Unsent): void {
    socket.data.isBusy = true
    socket.data.unsent = unsent
    socket.timeout(IDLE_SECONDS)
  }

  #finish(socket: Socket<Connection>, { status, closes }: SentResponse): void {
    const connection = socket.data
    connection.isBusy = false
    connection.wasAnswered = true
    connection.unsent = undefined
    this.#deps.metrics.shortUrlResponses[status].add()
    if (closes) this.#end(socket)
    else socket.timeout(IDLE_SECONDS)
  }

  /** Requests received after the last one that is answered are dropped. None was executed, so the client may retry. */
  #end(socket: Socket<Connection>): void {
    const connection = socket.data
    const isSending = connection.unread !== undefined || connection.isPaused
    connection.unread = undefined
    if (isSending) connection.lingering = new LingeringClose(socket)
    else socket.end()
  }
}

/** The response as it goes over an HTTP/1.1 connection. */
export function responseText(
  { status, location, headers, body }: VisitResponse,
  { date, closes, isHead }: ResponseForm & { date: string },
): string {
  const locationLine = location === undefined ? '' : `Location: ${location}\r\n`
  const end = closes ? 'Connection: close\r\n\r\n' : '\r\n'
  const length = body === '' ? 0 : Buffer.byteLength(body)
  const head = `HTTP/1.1 ${status} ${REASONS[status]}\r\n${locationLine}${linesOf(headers)}Date: ${date}\r\nContent-Length: ${length}\r\n${end}`
  return isHead || body === '' ? head : head + body
}

const knownLines = new WeakMap<VisitResponse['headers'], string>()

/** Most responses are redirects, which share one set of headers. */
function linesOf(headers: VisitResponse['headers']): string {
  let lines = knownLines.get(headers)
  if (lines === undefined) {
    lines = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    knownLines.set(headers, lines)
  }
  return lines
}

const httpDate = (clock: Pick<Clock, 'nowUs'>): string => new Date(clock.nowUs() / 1000).toUTCString()
