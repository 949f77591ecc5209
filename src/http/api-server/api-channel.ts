import type { Config } from '../../config/config.ts'
import type { LinkKey } from '../../links/link-key.ts'
import type { RedirectState } from '../../links/routes/redirect-state.ts'
import { type Metrics, openMetrics, type SharedMetrics } from '../../metrics/metrics.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { Log } from '../../runtime/log.ts'
import { Thread, type ThreadStatus } from '../../runtime/thread.ts'
import type { SharedWriteLock } from '../../store/sqlite/write-lock.ts'
import { PendingRequests, SILENT_SECONDS_MAX } from '../api-proxy/pending-requests.ts'
import { newPeersMemory, type PeersMemory, SharedPeers } from '../api-proxy/shared-peers.ts'
import type { ProxiedVisit } from './api-server.ts'
import { type OpeningAnswer, type OpeningRequest, OpeningRequests } from './opening-requests.ts'
import type { EmailTemplate } from '../../mail/email-template.ts'
import type { VisitRequest } from './visit-requests.ts'

/** What the health check reports. */
export type ServiceState = 'ok' | 'degraded' | 'stopping'

/** What the API thread needs to start. */
export type ApiStart = {
  config: Config
  /** Data folders of processes that have ended, whose code logs are checked too. */
  leftFolders: readonly string[]
  writeLock: SharedWriteLock
  metrics: SharedMetrics
  /** As it is at the start. */
  state: RedirectState
  peers: PeersMemory
  /** IP addresses that count as public for requests to other hosts. Not a setting: only tests give any. */
  reachableIps: readonly string[]
  /** Whether pages are fetched from every port. Not a setting: only tests say so. */
  reachesAnyPort?: boolean | undefined
  /** Asked about domains instead of those of the machine. Not a setting: only tests give any. */
  dnsServers?: readonly string[] | undefined
  /** Authorities for the certificates of domains, in PEM, instead of those that the machine trusts. */
  authorities?: readonly string[] | undefined
}

/** What the redirect thread does when something has changed, before the caller behind it gets a response. */
export type ChangeListener = {
  onLinksChanged(keys: readonly LinkKey[]): void
  onState(state: RedirectState): void
}

type AnswerVisit = (visits: readonly ProxiedVisit[]) => Promise<VisitResponse | undefined>

/** What the redirect thread sends. */
export type ToApiThread =
  | ({ kind: 'start' } & ApiStart)
  | { kind: 'visit-response'; id: number; response: VisitResponse | undefined }
  | OpeningRequest
  | { kind: 'state'; state: ServiceState }
  | { kind: 'redirect-state'; state: ApiStart['state'] }
  | { kind: 'mails'; emails: readonly EmailTemplate[] }
  | { kind: 'another-server' }
  | { kind: 'close-server' }
  | { kind: 'stop' }

/** What the API thread sends. */
export type ApiMessage = ThreadStatus | FromApiThread
type FromApiThread =
  | { kind: 'listening'; port: number }
  | VisitRequest
  | { kind: 'visit-answered'; status: VisitResponse['status'] }
  | { kind: 'links-changed'; keys: readonly LinkKey[] }
  | { kind: 'redirect-state'; state: RedirectState }
  | OpeningAnswer
  | { kind: 'server-closed' }

const SECOND_MS = 1_000
/** Of the ten seconds that stopping may take. */
const STOP_SILENT_SECONDS_MAX = 3

/** The redirect thread's end of the channel to the API thread. */
export class ApiChannel {
  /** Clients of the connections that are proxied to the API server. */
  readonly peers: SharedPeers
  readonly pending: PendingRequests
  readonly openings: OpeningRequests
  readonly #thread: Thread<ToApiThread, FromApiThread>
  readonly #listener: ChangeListener
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #port = Promise.withResolvers<number>()
  readonly #serverClosed = Promise.withResolvers<void>()
  readonly #isSilent = Promise.withResolvers<void>()
  readonly #timer: Timer
  #answerVisit: AnswerVisit | undefined
  #wasBlocked = false
  #isStopping = false

  constructor(start: Omit<ApiStart, 'peers'>, listener: ChangeListener, log: Log) {
    const peers = newPeersMemory()
    this.peers = new SharedPeers(peers)
    this.#listener = listener
    this.#log = log
    this.#metrics = openMetrics(start.metrics)
    this.pending = new PendingRequests(this.#metrics)
    this.#thread = new Thread({
      name: 'API',
      file: new URL('./api-thread.ts', import.meta.url),
      onMessage: (message) => this.#onMessage(message),
    })
    this.openings = new OpeningRequests((request) => this.#thread.send(request), this.pending)
    void this.#thread.failed.then(() => this.#fail())
    this.#thread.send({ kind: 'start', ...start, peers })
    this.#timer = setInterval(() => this.#passSecond(), SECOND_MS)
  }

  /** Where the API server listens, on this machine; pending until it does. */
  get port(): Promise<number> {
    return this.#port.promise
  }

  get ready(): Promise<void> {
    return this.#thread.ready
  }

  get failed(): Promise<Error> {
    return this.#thread.failed
  }

  /** For visits on connections that the API server has. */
  answerVisits(answer: AnswerVisit): void {
    this.#answerVisit = answer
  }

  sendState(state: ServiceState): void {
    this.#thread.send({ kind: 'state', state })
  }

  /** What another node has changed. */
  sendRedirectState(state: RedirectState): void {
    this.#thread.send({ kind: 'redirect-state', state })
  }

  /** Emails of the scheduled jobs. */
  sendMails(emails: readonly EmailTemplate[]): void {
    this.#thread.send({ kind: 'mails', emails })
  }

  /** Another database server may have taken over. */
  sendAnotherServer(): void {
    this.#thread.send({ kind: 'another-server' })
  }

  /** Lets the requests under way finish, which may need links and the journal, and ends streams. */
  async closeServer(): Promise<void> {
    this.#isStopping = true
    this.#thread.send({ kind: 'close-server' })
    await Promise.race([this.#serverClosed.promise, this.#isSilent.promise, this.#thread.failed])
  }

  /** Closes the thread's store. A blocked thread never gets there; it ends with the process. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.race([this.#thread.stop({ kind: 'stop' }), this.#isSilent.promise])
    clearInterval(this.#timer)
  }

  #onMessage(message: FromApiThread): void {
    if (message.kind === 'visit') void this.#openLink(message.id, message.visits)
    else if (message.kind === 'visit-answered') this.#metrics.shortUrlResponses[message.status].add()
    else if (message.kind === 'links-changed') this.#listener.onLinksChanged(message.keys)
    else if (message.kind === 'redirect-state') this.#listener.onState(message.state)
    else if (message.kind === 'opening') this.openings.settle(message)
    else if (message.kind === 'listening') this.#port.resolve(message.port)
    else this.#serverClosed.resolve()
  }

  async #openLink(id: number, visits: readonly ProxiedVisit[]): Promise<void> {
    this.#thread.send({ kind: 'visit-response', id, response: await this.#answerVisit!(visits) })
  }

  #passSecond(): void {
    this.pending.passSecond()
    const { isBlocked, silentSeconds } = this.pending
    if (this.#isStopping && silentSeconds >= STOP_SILENT_SECONDS_MAX) this.#isSilent.resolve()
    if (isBlocked === this.#wasBlocked) return
    this.#wasBlocked = isBlocked
    if (!isBlocked) return this.#log.warn('The API thread responds again.')
    this.openings.rejectAll()
    this.#log.error(
      `The API thread is blocked: it has not responded for ${SILENT_SECONDS_MAX} seconds. Redirects continue; everything else gets 503.`,
    )
  }

  #fail(): void {
    clearInterval(this.#timer)
    this.pending.fail()
    this.openings.rejectAll()
  }
}
