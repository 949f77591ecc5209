import { realFiles } from '../../clicks/journal/files.ts'
import { journalFolder } from '../../clicks/journal/open-journal.ts'
import { surveyJournal } from '../../clicks/repair/survey-journal.ts'
import { systemClock } from '../../runtime/clock.ts'
import { CodeLog } from '../../codes/log/code-log.ts'
import { NodeCodeLog } from '../../codes/log/node-code-log.ts'
import { type CodeLogState, openCodeLog } from '../../codes/log/open-code-log.ts'
import type { Config } from '../../config/config.ts'
import { watchEventLoop } from '../../metrics/event-loop-delay.ts'
import { readBlockList } from '../../links/destinations/block-host.ts'
import { type BlockList, Blocks } from '../../links/destinations/blocks.ts'
import { returnOpening, spendOpening } from '../../links/link-openings.ts'
import { countErrors, describeError, jsonLog, type Log } from '../../runtime/log.ts'
import { openMailQueue } from '../../mail/open-mail-queue.ts'
import type { MailQueue } from '../../mail/mail-queue.ts'
import { type Metrics, openMetrics } from '../../metrics/metrics.ts'
import { openStore, type Store } from '../../store/open-store.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { WriteLock } from '../../store/sqlite/write-lock.ts'
import { trustedProxiesOf } from '../../network/client-ip.ts'
import type { Visit } from '../../redirect/visit.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import { PasswordQueue } from '../../users/password/password-queue.ts'
import { SharedPeers } from '../api-proxy/shared-peers.ts'
import { openApp } from '../app.ts'
import type { ApiMessage, ApiStart } from './api-channel.ts'
import { type ApiRequest, openApiServer } from './api-server.ts'
import type { OpeningRequest } from './opening-requests.ts'
import { isStreamed, ResponseStreams } from './response-streams.ts'
import { compressResponse } from '../responses/compress-response.ts'
import { builtDashboard } from '../dashboard-site/built-dashboard.ts'
import { PasswordForms, type SentForm } from './enter-password.ts'
import type { ServiceState } from './service-state.ts'
import { VisitRequests } from './visit-requests.ts'

/**
 * The API thread: its own handles on the store, the API and the pages, and the HTTP server that the redirect server
 * proxies connections to.
 */
declare const self: Worker

/** What the redirect thread sends. */
export type ToApiThread =
  | ({ kind: 'start' } & ApiStart)
  | { kind: 'visit-response'; id: number; response: VisitResponse }
  | OpeningRequest
  | { kind: 'state'; state: ServiceState }
  | { kind: 'blocks'; blocks: BlockList }
  | { kind: 'another-server' }
  | { kind: 'close-server' }
  | { kind: 'stop' }

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
const blocks = new Blocks()
/** Of users and of links: it bounds what they take together. */
const passwords = new PasswordQueue()
let store: Store
let metrics: Metrics
let codeLog: CodeLog | NodeCodeLog
let started: Promise<void>

// What is not caught here ends the thread, and the program with it: see Thread.
self.onmessage = async (event: MessageEvent<ToApiThread>) => {
  const message = event.data
  if (message.kind === 'visit-response') visits.settle(message.id, message.response)
  else if (message.kind === 'spend-opening' || message.kind === 'return-opening') await writeOpening(message)
  else if (message.kind === 'state') serviceState = message.state
  else if (message.kind === 'blocks') blocks.replace(message.blocks)
  else if (message.kind === 'another-server') await blockLostCodes()
  else if (message.kind === 'start') await (started = start(message))
  else if (message.kind === 'close-server') await closeServer()
  else await stop()
}

async function start({
  config,
  leftFolders,
  writeLock: writeTurns,
  metrics: shared,
  blockList,
  peers,
}: ApiStart): Promise<void> {
  metrics = openMetrics(shared)
  watchEventLoop(systemClock, metrics.eventLoopDelay.api)
  log = countErrors(jsonLog(config.logLevel, 'api'), metrics.loggedErrors.api)
  listen(config, new SharedPeers(peers))
  const sqliteCodeLog = new CodeLog((isDistrusted) => openCodes(config, isDistrusted))
  store = await openStore(config, 'own-thread', {
    writeLock: new WriteLock(writeTurns),
    metrics: { clock: systemClock, seconds: metrics.storeWrites.api, failures: metrics.storeFailures.api },
    commitHook: sqliteCodeLog,
    retryLog: log,
  })
  codeLog =
    config.databaseUrl === undefined
      ? sqliteCodeLog
      : new NodeCodeLog({ db: store.db, log }, [config.dataDir, ...leftFolders])
  // Not caught, on purpose: half an API, with every list refused, must not go on.
  void store.failed.then((error) => Promise.reject(error))
  blocks.replace(blockList)
  const announceBlocks = async () => {
    const list = await readBlockList(store.db)
    blocks.replace(list)
    send({ kind: 'blocks', blocks: list })
  }
  mailQueue = openMailQueue({ log, clock: systemClock, metrics, print: (line) => console.log(line) }, config)
  const dashboard = builtDashboard(log)
  passwordForms = new PasswordForms({
    ...{ db: store.readDb, clock: systemClock, baseUrl: config.baseUrl, passwords, openLink },
    refusals: metrics.rateLimitRefusals.address,
  })
  app = openApp({
    config,
    store,
    clock: systemClock,
    passwords,
    log,
    blocks,
    blockChanges: { changed: announceBlocks },
    mails: mailQueue,
    openLink,
    metrics,
    changes: { changed: (keys) => send({ kind: 'links-changed', keys }) },
    codeLog,
    serviceState: () => serviceState,
    dashboard,
  })
  // Behind the start: only who makes a link has to wait for it, and tries it again should it fail.
  codeLog.ready().catch((error) => log.error('Could not open the code log.', describeError(error)))
  send({ kind: 'ready' })
  // Built in the background, so that it is ready when somebody opens it.
  dashboard.warm()
}

/** The server that answers now may lack the last commits of the one before. */
async function blockLostCodes(): Promise<void> {
  await started
  if (!(codeLog instanceof NodeCodeLog)) return
  await codeLog
    .blockLost()
    .catch((error) => log.error('Could not check whether the database lost links.', describeError(error)))
}

function openCodes({ dataDir }: Config, isDistrusted: boolean): Promise<CodeLogState> {
  const uncountedIds = async () =>
    (await surveyJournal({ db: store.db, files: realFiles }, journalFolder(dataDir))).highestIds
  return openCodeLog({ db: store.db, log, uncountedIds, isDistrusted }, dataDir)
}

/** Before the store is open: requests wait for it here. */
function listen({ trustedProxies }: Config, peers: SharedPeers): void {
  streams = new ResponseStreams(log)
  const answered = (status: VisitResponse['status']) => send({ kind: 'visit-answered', status })
  server = openApiServer(
    { openLink, enterPassword, handle, answered, log, peers },
    { host: '127.0.0.1', port: 0, trustedProxies: trustedProxiesOf(trustedProxies) },
  )
  send({ kind: 'listening', port: server.port! })
}

const enterPassword = (visit: Visit, form: SentForm): Promise<VisitResponse> =>
  started.then(() => passwordForms.enter(visit, form))

/** For the redirect thread, which never waits for the disk itself. */
async function writeOpening(request: OpeningRequest): Promise<void> {
  underWay++
  try {
    await started
    if (request.kind === 'return-opening') return await returnOpening(store.db, request.linkId)
    const isSpent = await spendOpening(store.db, request.linkId)
    send({ kind: 'opening', id: request.id, outcome: isSpent ? 'spent' : 'none left' })
  } catch (error) {
    if (!isStoreUnavailable(error)) log.error('Could not write an opening.', describeError(error))
    if (request.kind === 'spend-opening') send({ kind: 'opening', id: request.id, outcome: 'unknown' })
  } finally {
    underWay--
  }
}

async function handle(asked: ApiRequest): Promise<Response> {
  const { request, target, body, ip, peer } = asked
  underWay++
  try {
    await started
    // The body has been read, up to the limit. HEAD is GET without its content, which the server leaves out.
    const { method, headers } = request
    const read = new Request(`http://api${target}`, { method: method === 'HEAD' ? 'GET' : method, headers })
    return await finish(asked, await app.fetch(read, { ip, peer, target, body }))
  } finally {
    underWay--
  }
}

async function finish(asked: ApiRequest, response: Response): Promise<Response> {
  const { status, headers } = response
  metrics.apiAnswers[classOf(status)].add()
  if (response.body === null) return response
  if (isStreamed(response)) return new Response(streams.add(response.body), { status, headers })
  const body = await response.arrayBuffer()
  const packed = compressResponse({ status, headers: [...headers], body }, acceptedEncodings(asked))
  return new Response(packed.body, packed)
}

/** What the dashboard answers to a change may be a secret that is shown only once: its length must not reveal anything. */
function acceptedEncodings({ request, target }: ApiRequest): string | undefined {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead && target.startsWith('/dashboard/')) return undefined
  return request.headers.get('accept-encoding') ?? undefined
}

/** Nothing of ours answers with less than 200 here. */
const classOf = (status: number) => `${Math.floor(status / 100)}xx` as '2xx' | '3xx' | '4xx' | '5xx'

/** Requests under way may still need the redirect thread for their visits. */
async function closeServer(): Promise<void> {
  await Bun.sleep(LAST_ARRIVALS_MS)
  await streams.endAll()
  await Promise.race([server.stop(), Bun.sleep(LAST_RESPONSES_MS_MAX)])
  await server.stop(true)
  send({ kind: 'server-closed' })
}

async function stop(): Promise<void> {
  await started
  while (underWay > 0) await Bun.sleep(5)
  await mailQueue.settle()
  await codeLog.ready().catch(() => {}) // it may be at work on the store
  await codeLog.close()
  await store.close()
  send({ kind: 'stopped' })
}
