import type { JournalProgress } from '../clicks/journal.ts'
import type { BackgroundMessage, ToBackgroundThread } from './background-thread.ts'

/** How often the background thread hears how far the journal has got: clicks show in the counters that much later. */
const TELL_EVERY_MS = 100

type BackgroundLineSettings = {
  start: Extract<ToBackgroundThread, { kind: 'start' }>
  onSalts(salts: Map<number, Uint8Array>): void
}

/** The visitors' thread's end of the line to the background thread. */
export class BackgroundLine {
  readonly #worker: Worker
  readonly #ready = Promise.withResolvers<void>()
  readonly #stopped = Promise.withResolvers<void>()
  /** By segment: the latest word on each replaces the one before. */
  readonly #untold = new Map<string, JournalProgress>()
  #timer: Timer | undefined

  constructor({ start, onSalts }: BackgroundLineSettings) {
    this.#worker = new Worker(new URL('./background-thread.ts', import.meta.url).href)
    this.#worker.onmessage = (event: MessageEvent<BackgroundMessage>) => {
      const message = event.data
      if (message.kind === 'salts') onSalts(message.salts)
      else if (message.kind === 'ready') this.#ready.resolve()
      else this.#stopped.resolve()
    }
    this.#worker.onerror = (event) =>
      this.#ready.reject(new Error(`The background thread failed: ${event.message}`))
    this.#say(start)
  }

  /** Resolves when the thread has its store and has sent the first salts. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  tell(progress: JournalProgress): void {
    this.#untold.set(progress.segment, progress)
    this.#timer ??= setTimeout(() => this.#tellAll(), TELL_EVERY_MS)
  }

  /** Lets everything that was journaled be counted, as far as that goes within the time given, and closes the store. */
  async stop(): Promise<void> {
    this.#tellAll()
    this.#say({ kind: 'stop' })
    await this.#stopped.promise
    this.#worker.terminate()
  }

  #tellAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const progress of this.#untold.values()) this.#say({ kind: 'progress', progress })
    this.#untold.clear()
  }

  #say(message: ToBackgroundThread): void {
    this.#worker.postMessage(message)
  }
}
