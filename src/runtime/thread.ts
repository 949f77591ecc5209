type Message = { kind: string }

/** What every thread sends besides its own messages. */
export type ThreadStatus = { kind: 'ready' } | { kind: 'stopped' }

type ThreadOptions<Received> = { name: string; file: URL; onMessage(message: Received): void }

/**
 * A worker thread, as the thread that started it sees it.
 *
 *   starting ──('ready')──▶ running ──(stop)──▶ stopping ──('stopped')──▶ stopped
 *       └─────────────────────┴───────────────────┴──(uncaught error, or ended by itself)──▶ failed
 */
export class Thread<Sent extends Message, Received extends Message> {
  readonly #worker: Worker
  readonly #ready = Promise.withResolvers<void>()
  readonly #stopped = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<Error>()
  #hasStopped = false

  constructor({ name, file, onMessage }: ThreadOptions<Received>) {
    this.#worker = new Worker(file.href)
    this.#worker.onmessage = ({ data: message }: MessageEvent<ThreadStatus | Received>) => {
      if (message.kind === 'ready') this.#ready.resolve()
      else if (message.kind === 'stopped') this.#stopped.resolve()
      else onMessage(message as Received)
    }
    this.#worker.onerror = ({ message }) => this.#fail(new Error(`The ${name} thread failed: ${message}`))
    this.#worker.addEventListener('close', () => this.#fail(new Error(`The ${name} thread has ended.`)))
    this.#ready.promise.catch(() => {}) // Nobody has to wait for it.
  }

  /** Rejects if the thread fails first. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Resolves, with the reason, only when the thread ends without having been stopped. */
  get failed(): Promise<Error> {
    return this.#failed.promise
  }

  send(message: Sent, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  /** Sends the last message and waits until the thread has stopped or failed, or the time is over. */
  async stop(message: Sent, msMax?: number): Promise<void> {
    this.send(message)
    const timer = msMax === undefined ? undefined : setTimeout(() => this.#stopped.resolve(), msMax)
    await Promise.race([this.#stopped.promise, this.#failed.promise])
    clearTimeout(timer)
    this.#hasStopped = true
    this.#worker.terminate()
  }

  #fail(error: Error): void {
    if (this.#hasStopped) return
    this.#ready.reject(error)
    this.#failed.resolve(error)
  }
}
