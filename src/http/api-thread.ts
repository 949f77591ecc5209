import { realFiles } from '../clicks/files.ts'
import { journalFolder } from '../clicks/open-journal.ts'
import { surveyJournal } from '../clicks/survey-journal.ts'
import { systemClock } from '../clock.ts'
import { CodeLog } from '../codes/code-log.ts'
import { NodeCodeLog } from '../codes/node-code-log.ts'
import { type CodeLogState, openCodeLog } from '../codes/open-code-log.ts'
import type { Config } from '../config.ts'
import { watchEventLoop } from '../event-loop-delay.ts'
import { readBlockList } from '../links/block-host.ts'
import { type BlockList, Blocks } from '../links/blocks.ts'
import { countErrors, describeError, jsonLog, type Log } from '../log.ts'
import { openPostOffice } from '../mail/open-post-office.ts'
import type { PostOffice } from '../mail/post-office.ts'
import { type Metrics, openMetrics } from '../metrics.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { WriteTurn } from '../store/write-turn.ts'
import type { ApiMessage, ApiRequest, ApiStart } from './api-line.ts'
import { openApp } from './app.ts'
import { isStreamed } from './body-stream.ts'
import { compressAnswer } from './compress-answer.ts'
import { builtDashboard } from './dashboard/built-dashboard.ts'
import { FAULT_MESSAGE, plainAnswer } from './plain-answer.ts'
import type { ServiceState } from './service-state.ts'

/**
 * The API thread: its own handles on the store, the API and the pages. It is told its configuration first, then
 * answers requests that the visitors' thread hands over.
 */
declare const self: Worker

/** What the visitors' thread says. */
export type ToApiThread =
  | ({ kind: 'start' } & ApiStart)
  | ApiRequest
  | StreamRequest
  | { kind: 'state'; state: ServiceState }
  | { kind: 'blocks'; blocks: BlockList }
  | { kind: 'another-server' }
  | { kind: 'stop' }

/** About the body of an answer that is streamed, by the id of its request. */
export type StreamRequest = { kind: 'next-chunk' | 'close-stream'; id: number }

const say = (message: ApiMessage, transfer: ArrayBuffer[] = []) => self.postMessage(message, transfer)

let log: Log
let serviceState: ServiceState = 'ok'
let underWay = 0
const streams = new Map<number, Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>>()
let app: ReturnType<typeof openApp>
let postOffice: PostOffice
const blocks = new Blocks()
let store: Store
let metrics: Metrics
let codeLog: CodeLog | NodeCodeLog
let started: Promise<void>

// What is not caught here ends the thread, and the program with it: see Thread.
self.onmessage = async (event: MessageEvent<ToApiThread>) => {
  const message = event.data
  if (message.kind === 'request') await answer(message)
  else if (message.kind === 'next-chunk') await sendChunk(message.id)
  else if (message.kind === 'close-stream') await closeStream(message.id)
  else if (message.kind === 'state') serviceState = message.state
  else if (message.kind === 'blocks') blocks.replace(message.blocks)
  else if (message.kind === 'another-server') await blockLostCodes()
  else if (message.kind === 'start') await (started = start(message))
  else await stop()
}

async function start({
  config,
  leftFolders,
  writeTurns,
  metrics: shared,
  blockList,
}: ApiStart): Promise<void> {
  metrics = openMetrics(shared)
  watchEventLoop(systemClock, metrics.eventLoopDelay.api)
  log = countErrors(jsonLog(config.logLevel, 'api'), metrics.loggedErrors.api)
  const witness = new CodeLog((isDistrusted) => openCodes(config, isDistrusted))
  store = await openStore(config, 'own-thread', {
    turn: new WriteTurn(writeTurns),
    watch: { clock: systemClock, seconds: metrics.storeWrites.api, failures: metrics.storeFailures.api },
    witness,
    patience: log,
  })
  codeLog =
    config.databaseUrl === undefined
      ? witness
      : new NodeCodeLog({ db: store.db, log }, [config.dataDir, ...leftFolders])
  // Not caught, on purpose: half an API, with every list refused, must not go on.
  void store.failed.then((error) => Promise.reject(error))
  blocks.replace(blockList)
  const tellBlocks = async () => {
    const list = await readBlockList(store.db)
    blocks.replace(list)
    say({ kind: 'blocks', blocks: list })
  }
  postOffice = openPostOffice(
    { log, clock: systemClock, metrics, print: (line) => console.log(line) },
    config,
  )
  const dashboard = builtDashboard(log)
  app = openApp({
    config,
    store,
    clock: systemClock,
    log,
    blocks,
    blockChanges: { changed: tellBlocks },
    mails: postOffice,
    metrics,
    changes: { changed: (codes) => say({ kind: 'links-changed', codes }) },
    codeLog,
    serviceState: () => serviceState,
    dashboard,
  })
  // Behind the start: only who makes a link has to wait for it, and tries it again should it fail.
  codeLog.ready().catch((error) => log.error('Could not open the code log.', describeError(error)))
  say({ kind: 'ready' })
  // Behind the start: whoever opens it first finds it built.
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

async function answer(asked: ApiRequest): Promise<void> {
  const { id, method, target, headers, body, ip, peer } = asked
  // It waited while this thread was blocked, and its caller was told to try again: doing it now would do it twice.
  if (id <= metrics.apiGivenUp.value) return say({ kind: 'skipped', id })
  underWay++
  try {
    await started
    // The body travels beside the request: it has been read already, up to the limit. HEAD is GET without its content,
    // which the server leaves out by itself and still says how long it would be.
    const request = new Request(`http://api${target}`, {
      method: method === 'HEAD' ? 'GET' : method,
      headers,
    })
    await respond(asked, await app.fetch(request, { ip, peer, target, body }))
  } catch (error) {
    // Outside of the app's own care; without an answer the client would wait for ever.
    const requestId = Bun.randomUUIDv7()
    log.error('Could not answer a request.', { request_id: requestId, ...describeError(error) })
    await respond(asked, plainAnswer(500, FAULT_MESSAGE, { 'X-Request-Id': requestId }))
  } finally {
    underWay--
  }
}

async function respond(asked: ApiRequest, response: Response): Promise<void> {
  const { id } = asked
  const { status } = response
  const head = { kind: 'response' as const, id, status, headers: [...response.headers] }
  metrics.apiAnswers[classOf(status)].add()
  if (response.body === null) return say({ ...head, body: undefined })
  if (isStreamed(response)) {
    streams.set(id, response.body.getReader())
    return say({ ...head, body: 'stream' })
  }
  const packed = compressAnswer({ ...head, body: await response.arrayBuffer() }, formsFor(asked))
  say({ ...head, ...packed }, [packed.body])
}

/** What the dashboard answers to a change may be a secret that is shown this once: its length says nothing of it. */
function formsFor({ method, target, headers }: ApiRequest): string | undefined {
  if (method !== 'GET' && method !== 'HEAD' && target.startsWith('/dashboard/')) return undefined
  return headers.find(([name]) => name.toLowerCase() === 'accept-encoding')?.[1]
}

/** Nothing of ours answers with less than 200 here. */
const classOf = (status: number) => `${Math.floor(status / 100)}xx` as '2xx' | '3xx' | '4xx' | '5xx'

/** Only when asked for, so that a client that reads slowly is read to slowly. */
async function sendChunk(id: number): Promise<void> {
  const reader = streams.get(id)
  try {
    const bytes = (await reader?.read())?.value
    if (bytes === undefined) streams.delete(id)
    say({ kind: 'chunk', id, bytes })
  } catch (error) {
    // The answer has begun, so all that is left is to end it early; its length was never promised.
    log.error('A response was aborted.', describeError(error))
    streams.delete(id)
    say({ kind: 'chunk', id, bytes: undefined })
  }
}

async function closeStream(id: number): Promise<void> {
  const reader = streams.get(id)
  streams.delete(id)
  await reader?.cancel().catch((error) => log.warn('A stream did not close.', describeError(error)))
}

/** Requests that were handed over before are answered; the store is closed behind them. */
async function stop(): Promise<void> {
  await started
  await Promise.all([...streams.keys()].map(closeStream))
  while (underWay > 0) await Bun.sleep(5)
  await postOffice.settle()
  await codeLog.ready().catch(() => {}) // it may be at work on the store
  await codeLog.close()
  await store.close()
  say({ kind: 'stopped' })
}
