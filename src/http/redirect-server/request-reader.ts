import type { Socket } from 'bun'
import { clientIp, type TrustedProxies } from '../../network/client-ip.ts'
import { internalError } from '../../redirect/notices.ts'
import { openLink, type OpenLinkDeps } from '../../redirect/open-link.ts'
import { openAtHand } from '../../redirect/open-visits.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import { IDLE_SECONDS } from '../api-server/api-server.ts'
import { otherVisits } from '../requests/other-visits.ts'
import { readVisit, validHosts } from '../requests/read-visit.ts'
import { ERROR_MESSAGE, logError } from '../responses/plain-response.ts'
import { completesLine, isBeginningOfHead, readRequestHead, type RequestHead } from './request-head.ts'
import type { ResponseSender } from './response-sender.ts'
import type { Connection } from './visitor-connection.ts'

export type ReaderDeps = {
  openLink: OpenLinkDeps
  log: Log
  sender: ResponseSender
  /** Undefined: `X-Forwarded-For` is never trusted. */
  trustedProxies: TrustedProxies | undefined
  /** Passes everything that is not a plain request for a short URL to the API server. */
  proxy(socket: Socket<Connection>, bytes: Buffer): void
}

/**
 * Reads the requests of a connection, one at a time, and answers those for short URLs. Pipelined requests are parsed after
 * the response to the previous one was sent, and the socket is not read until then. So no click is counted that can no
 * longer be answered.
 */
export class RequestReader {
  readonly #deps: ReaderDeps
  readonly #isValidHost = validHosts()
  #isStopping = false

  constructor(deps: ReaderDeps) {
    this.#deps = deps
  }

  receive(socket: Socket<Connection>, bytes: Buffer): void {
    const connection = socket.data
    const { proxied, lingering, unread } = connection
    if (proxied?.isBusy === true) return proxied.fromClient(bytes)
    proxied?.park()
    if (lingering !== undefined) return lingering.receive(bytes)
    if (connection.isBusy) return pauseWith(socket, bytes)
    connection.unread = unread === undefined ? bytes : Buffer.concat([unread, bytes])
    if (unread === undefined || completesLine(bytes, connection.unread.length)) this.readAll(socket)
    // A copy: the runtime reuses the memory of received bytes.
    if (connection.unread !== undefined && unread === undefined)
      connection.unread = Buffer.from(connection.unread)
  }

  /** Reads what was received behind a request that the API server has answered. */
  resume(socket: Socket<Connection>, unread: Buffer | undefined): void {
    socket.timeout(IDLE_SECONDS)
    if (unread === undefined) return
    socket.data.proxied?.park()
    socket.data.unread = unread
    socket.data.isPaused = true
    this.readAll(socket)
  }

  /** Reads the received requests, up to one that waits for its response. */
  readAll(socket: Socket<Connection>): void {
    const connection = socket.data
    while (connection.unread !== undefined && !connection.isBusy) {
      if (!this.#readRequest(socket, connection.unread)) break
    }
    if (connection.isPaused && !connection.isBusy) {
      connection.isPaused = false
      socket.resume()
    }
  }

  /** From now on, every response ends its connection. */
  announceStop(): void {
    this.#isStopping = true
  }

  /** Returns whether there was a complete request. */
  #readRequest(socket: Socket<Connection>, bytes: Buffer): boolean {
    const connection = socket.data
    const head = readRequestHead(bytes)
    if (head === undefined && isBeginningOfHead(bytes)) return awaitRest(socket)
    const response = head === undefined ? undefined : this.#openLink(socket, head)
    if (head === undefined || response === undefined) {
      this.#deps.proxy(socket, bytes)
      return true
    }
    connection.unread = head.length === bytes.length ? undefined : bytes.subarray(head.length)
    connection.hasPartOfHead = false
    if (response instanceof Promise) this.#sendLater(socket, head, response)
    else this.#send(socket, head, response)
    return true
  }

  /** Undefined if the request is not a visit. */
  #openLink(socket: Socket<Connection>, head: RequestHead) {
    const { ip: peer } = socket.data
    const { trustedProxies: trusted } = this.#deps
    const ip = trusted === undefined ? peer : clientIp(peer, head.header('x-forwarded-for'), trusted)
    if (!this.#isValidHost(head.host)) return undefined
    const from = { domains: this.#deps.openLink.domains, ip }
    const visit = readVisit(head, from)
    try {
      return visit === undefined
        ? openAtHand(this.#deps.openLink, otherVisits(head, from))
        : openLink(this.#deps.openLink, visit)
    } catch (error) {
      return this.#errorResponse(error)
    }
  }

  #sendLater(socket: Socket<Connection>, head: RequestHead, response: Promise<VisitResponse>): void {
    socket.data.isBusy = true
    void response
      .catch((error) => this.#errorResponse(error))
      .then((response) => {
        this.#send(socket, head, response)
        this.readAll(socket)
      })
      .catch((error) => this.fail(socket, error))
  }

  #send(socket: Socket<Connection>, head: RequestHead, response: VisitResponse): void {
    const { hasEnded, unread } = socket.data
    const closes = head.closes || this.#isStopping || (hasEnded && unread === undefined)
    this.#deps.sender.send(socket, response, { closes, isHead: head.method === 'HEAD' })
  }

  #errorResponse(error: unknown): VisitResponse {
    return internalError(ERROR_MESSAGE, logError(this.#deps.log, error))
  }

  /** An unexpected error ends this connection and no other. */
  fail(socket: Socket<Connection>, error: unknown): void {
    this.#deps.log.error('A connection failed.', describeError(error))
    socket.terminate()
  }
}

/** One read returns half a megabyte at most, and there is no other until the current request has its response. */
function pauseWith(socket: Socket<Connection>, bytes: Buffer): void {
  const connection = socket.data
  connection.unread = Buffer.concat([connection.unread ?? Buffer.alloc(0), bytes])
  connection.isPaused = true
  socket.pause()
}

/** A head has ten seconds from its first byte, however often a little more of it arrives. */
function awaitRest(socket: Socket<Connection>): false {
  const connection = socket.data
  if (connection.hasEnded) socket.end()
  else if (!connection.hasPartOfHead) socket.timeout(IDLE_SECONDS)
  connection.hasPartOfHead = true
  return false
}
