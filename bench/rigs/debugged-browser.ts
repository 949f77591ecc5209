import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--remote-debugging-port=0',
]
const EVENT_MS_MAX = 120_000

type Message = {
  id?: number
  method?: string
  sessionId?: string
  params?: any
  result?: any
  error?: { message: string }
}
type Listener = { method: string; sessionId: string; resolve(params: any): void }

/**
 * Chromium, by its debugging protocol alone. A library for tests would also listen to all requests, which costs the page what no user
 * pays: each is reported with the stack of the script that sends it.
 */
export class DebuggedBrowser {
  readonly #process: Bun.Subprocess
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #calls = new Map<number, PromiseWithResolvers<any>>()
  readonly #listeners = new Set<Listener>()
  #lastId = 0

  private constructor(process: Bun.Subprocess, folder: string, socket: WebSocket) {
    this.#process = process
    this.#folder = folder
    this.#socket = socket
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)) as Message)
  }

  static async start(executablePath: string): Promise<DebuggedBrowser> {
    const folder = mkdtempSync(join(tmpdir(), 'tern-bench-browser-'))
    const process = Bun.spawn([executablePath, ...FLAGS, `--user-data-dir=${folder}`], {
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const socket = new WebSocket(await addressIn(process.stderr))
    await new Promise((resolve) => (socket.onopen = resolve))
    return new DebuggedBrowser(process, folder, socket)
  }

  /** `sessionId`: of a page; without it, of the browser. */
  send(method: string, params: object = {}, sessionId?: string): Promise<any> {
    const call = Promise.withResolvers<any>()
    this.#calls.set(++this.#lastId, call)
    this.#socket.send(JSON.stringify({ id: this.#lastId, method, params, sessionId }))
    return call.promise
  }

  /** The parameters of the next event of this kind. */
  next(method: string, sessionId: string): Promise<any> {
    const { promise, resolve, reject } = Promise.withResolvers<any>()
    const timer = setTimeout(() => reject(new Error(`${method} never came.`)), EVENT_MS_MAX)
    this.#listeners.add({ method, sessionId, resolve })
    return promise.finally(() => clearTimeout(timer))
  }

  async stop(): Promise<void> {
    // The executable may be a script around the browser, which a signal would end alone.
    void this.send('Browser.close')
    await this.#process.exited
    this.#socket.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #receive({ id, method, sessionId, params, result, error }: Message): void {
    const call = this.#calls.get(id ?? 0)
    if (call !== undefined) {
      this.#calls.delete(id!)
      if (error === undefined) call.resolve(result)
      else call.reject(new Error(error.message))
    }
    for (const listener of this.#listeners) {
      if (listener.method !== method || listener.sessionId !== sessionId) continue
      this.#listeners.delete(listener)
      listener.resolve(params)
    }
  }
}

/** Where Chromium can be reached, which it writes when it has started. */
async function addressIn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of stderr) {
    text += decoder.decode(bytes, { stream: true })
    const address = /DevTools listening on (\S+)/.exec(text)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`Chromium did not start: ${text}`)
}
