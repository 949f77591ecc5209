import { systemClock } from '../clock.ts'
import { readBlockList } from '../links/block-host.ts'
import { Blocks } from '../links/blocks.ts'
import { describeError, jsonLog, type Log } from '../log.ts'
import { openPostOffice } from '../mail/open-post-office.ts'
import type { PostOffice } from '../mail/post-office.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { WriteTurn } from '../store/write-turn.ts'
import type { ApiMessage, ApiRequest, ApiResponse, ApiStart } from './api-line.ts'
import { openApp } from './app.ts'
import { isStreamed } from './body-stream.ts'
import { FAULT_MESSAGE, plainAnswer } from './plain-answer.ts'

/**
 * The API thread: its own handles on the store, the API and the pages. It is told its configuration first, then
 * answers requests that the visitors' thread hands over.
 */
declare const self: Worker

export type JournalState = 'ok' | 'degraded'

/** What the visitors' thread says. */
export type ToApiThread =
  | ({ kind: 'start' } & ApiStart)
  | ApiRequest
  | StreamRequest
  | { kind: 'journal'; state: JournalState }
  | { kind: 'stop' }

/** About the body of an answer that is streamed, by the id of its request. */
export type StreamRequest = { kind: 'next-chunk' | 'close-stream'; id: number }

const say = (message: ApiMessage, transfer: ArrayBuffer[] = []) => self.postMessage(message, transfer)

let log: Log
let journalState: JournalState = 'ok'
let underWay = 0
const streams = new Map<number, Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>>()
let app: ReturnType<typeof openApp>
let postOffice: PostOffice
let store: Store
let started: Promise<void>

// What is not caught here ends the thread, and the program with it: see Thread.
self.onmessage = async (event: MessageEvent<ToApiThread>) => {
  const message = event.data
  if (message.kind === 'request') await answer(message)
  else if (message.kind === 'next-chunk') await sendChunk(message.id)
  else if (message.kind === 'close-stream') await closeStream(message.id)
  else if (message.kind === 'journal') journalState = message.state
  else if (message.kind === 'start') await (started = start(message))
  else await stop()
}

async function start({ config, writeTurns }: ApiStart): Promise<void> {
  log = jsonLog(config.logLevel, 'api')
  store = await openStore(config.dataDir, 'own-thread', new WriteTurn(writeTurns))
  // Not caught, on purpose: half an API, with every list refused, must not go on.
  void store.failed.then((error) => Promise.reject(error))
  const blocks = new Blocks()
  const tellBlocks = async () => {
    const list = await readBlockList(store.db)
    blocks.replace(list)
    say({ kind: 'blocks', blocks: list })
  }
  await tellBlocks()
  postOffice = openPostOffice({ log, clock: systemClock, print: (line) => console.log(line) }, config)
  app = openApp({
    config,
    store,
    clock: systemClock,
    log,
    blocks,
    blockChanges: { changed: tellBlocks },
    mails: postOffice,
    changes: { changed: (codes) => say({ kind: 'links-changed', codes }) },
    journalState: () => journalState,
  })
  say({ kind: 'ready' })
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
  const { status } = response
  const head = { kind: 'response' as const, id, status, headers: [...response.headers] }
  if (response.body === null) return [{ ...head, body: undefined }, []]
  if (isStreamed(response)) {
    streams.set(id, response.body.getReader())
    return [{ ...head, body: 'stream' }, []]
  }
  const body = await response.arrayBuffer()
  return [{ ...head, body }, [body]]
}

/** Only when asked for, so that a client that reads slowly is read to slowly. */
async function sendChunk(id: number): Promise<void> {
  const reader = streams.get(id)
  try {
    const bytes = (await reader?.read())?.value
    if (bytes === undefined) streams.delete(id)
    say({ kind: 'chunk', id, bytes })
  } catch (error) {
    // The answer has begun, so all that is left is to end it early; its length was never promised.
    log.error('An answer broke off.', describeError(error))
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
  await store.close()
  say({ kind: 'stopped' })
}
