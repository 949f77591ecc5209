/** What every thread says beside its own things. */
export type ThreadWord = { kind: 'ready' } | { kind: 'stopped' }

type ThreadSettings<Said> = { name: string; file: URL; hear(message: Said): void }

/**
 * A worker thread, as the thread that started it sees it.
 *
 *   starting ──('ready')──▶ running ──(stop)──▶ stopping ──('stopped')──▶ stopped
 *       └─────────────────────┴───────────────────┴──(uncaught error, or gone untold)──▶ failed
 */
export class Thread<Told extends { kind: string }, Said extends { kind: string }> {
  readonly #worker: Worker
  readonly #ready = Promise.withResolvers<void>()
  readonly #stopped = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<Error>()
  #hasStopped = false

  constructor({ name, file, hear }: ThreadSettings<Said>) {
    this.#worker = new Worker(file.href)
    this.#worker.onmessage = ({ data: message }: MessageEvent<ThreadWord | Said>) => {
      if (message.kind === 'ready') this.#ready.resolve()
      else if (message.kind === 'stopped') this.#stopped.resolve()
      else hear(message as Said)
    }
    this.#worker.onerror = ({ message }) => this.#fail(new Error(`The ${name} thread failed: ${message}`))
    this.#worker.addEventListener('close', () => this.#fail(new Error(`The ${name} thread has ended.`)))
    this.#ready.promise.catch(() => {}) // whoever waits for it hears of the failure; nobody has to
  }

  /** Rejects when the thread fails before. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Resolves, with the reason, only when the thread ends without having been told to. */
  get failed(): Promise<Error> {
    return this.#failed.promise
  }

  say(message: Told, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  /** Says the last message and waits until the thread has done what it asks for, or has failed. */
  async stop(message: Told): Promise<void> {
    this.say(message)
    await Promise.race([this.#stopped.promise, this.#failed.promise])
    this.#hasStopped = true
    this.#worker.terminate()
  }

  #fail(error: Error): void {
    if (this.#hasStopped) return
    this.#ready.reject(error)
    this.#failed.resolve(error)
  }
}
