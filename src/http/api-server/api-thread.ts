import { systemClock } from '../../runtime/clock.ts'
import { EngineProcess, engineCommand } from '../../clicks/parquet/engine-process.ts'
import { CodeLog } from '../../codes/log/code-log.ts'
import { NodeCodeLog } from '../../codes/log/node-code-log.ts'
import type { Config } from '../../config/config.ts'
import { watchEventLoop } from '../../metrics/event-loop-delay.ts'
import { KeptRedirectState, readRedirectState } from '../../links/routes/redirect-state.ts'
import { StatePoll } from '../../links/routes/state-poll.ts'
import { openDestinationPages } from '../../destination-pages/open-destination-pages.ts'
import type { Page } from '../../destination-pages/read-page.ts'
import type { LinkKey } from '../../links/link-key.ts'
import { countErrors, describeError, jsonLog, type Log } from '../../runtime/log.ts'
import { openMailQueue } from '../../mail/open-mail-queue.ts'
import type { MailQueue } from '../../mail/mail-queue.ts'
import { type Metrics, openMetrics } from '../../metrics/metrics.ts'
import { openStore, type Store } from '../../store/open-store.ts'
import { sharingOf } from '../../store/thread-sharing.ts'
import { trustedProxiesOf } from '../../network/client-ip.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import { PasswordQueue } from '../../users/password/password-queue.ts'
import { SharedPeers } from '../api-proxy/shared-peers.ts'
import { openApp } from '../app.ts'
import { ComputeChannel } from '../compute/compute-channel.ts'
import type { ApiMessage, ApiStart, ServiceState, ToApiThread } from './api-channel.ts'
import { type ApiRequest, type ApiServerDeps, openApiServer } from './api-server.ts'
import { answerOf } from './app-request.ts'
import { openCodes } from './open-codes.ts'
import { isOpeningRequest, type OpeningRequest } from './opening-requests.ts'
import { writeOpening } from './write-opening.ts'
import { isStreamed, ResponseStreams } from './response-streams.ts'
import { classOf, packedResponse } from '../responses/compress-response.ts'
import { builtDashboard } from '../dashboard-site/built-dashboard.ts'
import { PasswordForms } from './enter-password.ts'
import { PasswordAttempts } from './password-attempts.ts'
import { ImportJobs } from '../../import/jobs/import-jobs.ts'
import { HostLimit } from '../../destination-pages/host-limit.ts'
import { openDomainChecks } from '../../domains/open-domain-checks.ts'
import { VisitRequests } from './visit-requests.ts'

/**
 * The API thread: its own handles on the store, the API and the pages, and the HTTP server that the redirect server
 * proxies connections to.
 */
declare const self: Worker

/** At the end, requests under way get this long: one slow client must not hold up everything else. */
const LAST_RESPONSES_MS_MAX = 3_000
/** Before that: requests that were sent just before may not have been accepted yet, and would be reset. */
const LAST_ARRIVALS_MS = 50

const send = (message: ApiMessage) => self.postMessage(message)

let log: Log
let serviceState: ServiceState = 'ok'
let server: ReturnType<typeof openApiServer>
let streams: ResponseStreams
const visits = new VisitRequests(send)
const openLink = visits.open.bind(visits)
let underWay = 0
let app: ReturnType<typeof openApp>
let passwordForms: PasswordForms
let mailQueue: MailQueue
let clickEngine: EngineProcess | undefined
let kept: KeptRedirectState
/** Of users and, behind them, of links: it bounds what they take together. */
const passwords = new PasswordQueue()
const passwordAttempts = new PasswordAttempts({ clock: systemClock, passwords })
const compute = new ComputeChannel()
let store: Store
/** Undefined on PostgreSQL, where the redirect thread follows changes. */
let statePoll: StatePoll | undefined
let metrics: Metrics
let destinations: ReturnType<typeof openDestinationPages> | undefined
let codeLog: CodeLog | NodeCodeLog
let started: Promise<void>
const importJobs = new ImportJobs()

// What is not caught here ends the thread, and the program with it: see Thread.
self.onmessage = async (event: MessageEvent<ToApiThread>) => {
  const message = event.data
  if (message.kind === 'visit-response') visits.settle(message.id, message.response)
  else if (isOpeningRequest(message)) await answerOpening(message)
  else if (message.kind === 'state') serviceState = message.state
  else if (message.kind === 'redirect-state') kept.replace(message.state)
  else if (message.kind === 'mails')
    await started.then(() => message.emails.forEach((email) => mailQueue.post(email)))
  else if (message.kind === 'another-server')
    await started.then(() => (codeLog instanceof NodeCodeLog ? codeLog.serverChanged() : undefined))
  else if (message.kind === 'start') await (started = start(message))
  else if (message.kind === 'close-server') await closeServer()
  else await stop()
}

async function start({
  config,
  leftFolders,
  writeLock,
  metrics: shared,
  state,
  peers,
  ...reached
}: ApiStart): Promise<void> {
  metrics = openMetrics(shared)
  watchEventLoop(systemClock, metrics.eventLoopDelay.api)
  log = countErrors(jsonLog(config.logLevel, 'api'), metrics.loggedErrors.api)
  kept = new KeptRedirectState(config, state)
  listen(config, new SharedPeers(peers))
  const sqliteCodeLog = new CodeLog((isDistrusted) =>
    openCodes({ db: store.db, log, dataDir: config.dataDir }, isDistrusted),
  )
  const sharing = sharingOf('api', { log, metrics, writeLock })
  store = await openStore(config, 'own-thread', { ...sharing, commitHook: sqliteCodeLog })
  codeLog =
    config.databaseUrl === undefined
      ? sqliteCodeLog
      : new NodeCodeLog({ db: store.db, log }, [config.dataDir, ...leftFolders])
  // Not caught, on purpose: half an API, with every list refused, must not go on.
  void store.failed.then((error) => Promise.reject(error))
  mailQueue = openMailQueue({ log, clock: systemClock, metrics, print: (line) => console.log(line) }, config)
  const dashboard = builtDashboard(log)
  if (config.databaseUrl === undefined)
    clickEngine = new EngineProcess({ command: engineCommand(config.dataDir), clock: systemClock, log })
  const changes = { changed: (keys: readonly LinkKey[]) => send({ kind: 'links-changed', keys }) }
  const edits = { db: store.db, clock: systemClock, changes, codeLog }
  passwordForms = new PasswordForms({
    db: store.readDb,
    clock: systemClock,
    baseUrl: config.baseUrl,
    attempts: passwordAttempts,
    passwords,
    edits,
    openLink,
    refusals: metrics.rateLimitRefusals.network,
  })
  const hostLimit = new HostLimit(systemClock, config.baseUrl)
  const readPage = (page: Page) => compute.run('readPage', page)
  destinations = openDestinationPages({ ...edits, ...kept, config, log, ...reached, hostLimit, readPage })
  app = openApp({
    config,
    store,
    callEngine: clickEngine?.call,
    clock: systemClock,
    passwords,
    passwordAttempts,
    log,
    compute,
    blocks: kept.blocks,
    domains: kept.domains,
    redirectState: { changed: announceState },
    mails: mailQueue,
    openLink,
    metrics,
    changes,
    codeLog,
    ...destinations,
    domainChecks: openDomainChecks({ config, ...reached, hostLimit }),
    serviceState: currentState,
    dashboard,
    importJobs,
    reached,
  })
  if (config.databaseUrl === undefined) statePoll = new StatePoll({ db: store.db, log }, announceState)
  // Behind the start: only who makes a link has to wait for it, and tries it again should it fail.
  codeLog.ready().catch((error) => log.error('Could not open the code log.', describeError(error)))
  send({ kind: 'ready' })
  // Built in the background, so that it is ready when somebody opens it.
  dashboard.warm()
}

/** Each thread knows what it tried itself: the background thread, whether the database accepts changes. */
function currentState(): ServiceState {
  const isStoreDown = Object.values(metrics.storeUnavailable).some(({ value }) => value === 1)
  return serviceState === 'ok' && isStoreDown ? 'degraded' : serviceState
}

async function announceState(): Promise<void> {
  const state = await readRedirectState(store.db)
  kept.replace(state)
  send({ kind: 'redirect-state', state })
}

/** Before the store is open: requests wait for it here. */
function listen({ trustedProxies }: Config, peers: SharedPeers): void {
  streams = new ResponseStreams(log)
  const answered = (status: VisitResponse['status']) => send({ kind: 'visit-answered', status })
  server = openApiServer(
    { openLink, enterPassword, handle, answered, domains: kept.domains, log, peers },
    { host: '127.0.0.1', port: 0, trustedProxies: trustedProxiesOf(trustedProxies) },
  )
  send({ kind: 'listening', port: server.port! })
}

const enterPassword: ApiServerDeps['enterPassword'] = (visit, form) =>
  started.then(() => passwordForms.enter(visit, form))

/** A stop waits for it. */
async function whenStarted<Result>(work: () => Promise<Result>): Promise<Result> {
  underWay++
  try {
    await started
    return await work()
  } finally {
    underWay--
  }
}

const answerOpening = (request: OpeningRequest): Promise<void> =>
  whenStarted(async () => send(await writeOpening({ db: store.db, clock: systemClock, log }, request)))

const handle: ApiServerDeps['handle'] = (asked) =>
  whenStarted(async () => {
    const response = await answerOf(app, asked)
    metrics.apiResponses[classOf(response.status)].add()
    return sendable(asked, response)
  })

function sendable(asked: ApiRequest, response: Response): Response | Promise<Response> {
  if (response.body === null) return response
  if (isStreamed(response)) return new Response(streams.add(response), response)
  return packedResponse(asked, response)
}

/** Requests under way may still need the redirect thread for their visits. */
async function closeServer(): Promise<void> {
  await Bun.sleep(LAST_ARRIVALS_MS)
  await destinations?.close()
  await streams.endAll()
  await Promise.race([server.stop(), Bun.sleep(LAST_RESPONSES_MS_MAX)])
  await server.stop(true)
  send({ kind: 'server-closed' })
}

async function stop(): Promise<void> {
  await started
  while (underWay > 0) await Bun.sleep(5)
  await importJobs.close()
  await mailQueue.settle()
  await codeLog.ready().catch(() => {}) // it may be at work on the store
  await codeLog.close()
  await statePoll?.stop()
  await compute.close()
  await clickEngine?.close()
  await store.close()
  send({ kind: 'stopped' })
}
