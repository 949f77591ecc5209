import { systemClock } from '../clock.ts'
import { describeError, jsonLog, type Log } from '../log.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { WriteTurn } from '../store/write-turn.ts'
import type { ApiMessage, ApiRequest, ApiResponse, ApiStart } from './api-line.ts'
import { openApp } from './app.ts'
import { builtDashboard } from './dashboard/built-dashboard.ts'
import { FAULT_MESSAGE, plainAnswer } from './plain-answer.ts'

/**
 * The API thread: its own handles on the store, the API and the pages. It is told its configuration first, then
 * answers requests that the visitors' thread hands over.
 */
declare const self: Worker

export type JournalState = 'ok' | 'degraded'

/** What the visitors' thread says. */
export type ToApiThread =
  ({ kind: 'start' } & ApiStart) | ApiRequest | { kind: 'journal'; state: JournalState } | { kind: 'stop' }

const say = (message: ApiMessage, transfer: ArrayBuffer[] = []) => self.postMessage(message, transfer)

let log: Log
let journalState: JournalState = 'ok'
let underWay = 0
let app: ReturnType<typeof openApp>
let store: Store
let started: Promise<void>

// What is not caught here ends the thread, and the program with it: see Thread.
self.onmessage = async (event: MessageEvent<ToApiThread>) => {
  const message = event.data
  if (message.kind === 'request') await answer(message)
  else if (message.kind === 'journal') journalState = message.state
  else if (message.kind === 'start') await (started = start(message))
  else await stop()
}

async function start({ config, writeTurns }: ApiStart): Promise<void> {
  log = jsonLog(config.logLevel, 'api')
  store = await openStore(config.dataDir, 'own-thread', new WriteTurn(writeTurns))
  // Not caught, on purpose: half an API, with every list refused, must not go on.
  void store.failed.then((error) => Promise.reject(error))
  const dashboard = builtDashboard(log)
  app = openApp({
    config,
    store,
    clock: systemClock,
    log,
    changes: { changed: (codes) => say({ kind: 'links-changed', codes }) },
    journalState: () => journalState,
    dashboard,
  })
  say({ kind: 'ready' })
  // Behind the start: whoever opens it first finds it built.
  dashboard.warm()
}

async function answer({ id, method, target, headers, body, ip }: ApiRequest): Promise<void> {
  underWay++
  try {
    // The body travels beside the request: it has been read already, up to the limit. HEAD is GET without its content,
    // which the server leaves out by itself and still says how long it would be.
    const request = new Request(`http://api${target}`, {
      method: method === 'HEAD' ? 'GET' : method,
      headers,
    })
    const response = await app.fetch(request, { ip, target, body })
    say(...(await toMessage(id, response)))
  } catch (error) {
    // Outside of the app's own care; without an answer the client would wait for ever.
    const requestId = Bun.randomUUIDv7()
    log.error('A request could not be answered.', { request_id: requestId, ...describeError(error) })
    say(...(await toMessage(id, plainAnswer(500, FAULT_MESSAGE, { 'X-Request-Id': requestId }))))
  } finally {
    underWay--
  }
}

async function toMessage(id: number, response: Response): Promise<[ApiResponse, ArrayBuffer[]]> {
  const body = response.body === null ? undefined : await response.arrayBuffer()
  const message: ApiResponse = {
    kind: 'response',
    id,
    status: response.status,
    headers: [...response.headers],
    body,
  }
  return [message, body === undefined ? [] : [body]]
}

/** Requests that were handed over before are answered; the store is closed behind them. */
async function stop(): Promise<void> {
  await started
  while (underWay > 0) await Bun.sleep(5)
  await store.close()
  say({ kind: 'stopped' })
}
