import type { JournalProgress } from '../clicks/journal.ts'
import { Thread } from '../thread.ts'
import type { NewSalts, ToBackgroundThread } from './background-thread.ts'

/** How often the background thread hears how far the journal has got: clicks show in the counters that much later. */
const TELL_EVERY_MS = 250

type BackgroundLineSettings = {
  start: Extract<ToBackgroundThread, { kind: 'start' }>
  onSalts(salts: Map<number, Uint8Array>): void
}

/** The visitors' thread's end of the line to the background thread. */
export class BackgroundLine {
  readonly #thread: Thread<ToBackgroundThread, NewSalts>
  /** By segment: the latest word on each replaces the one before. */
  readonly #untold = new Map<string, JournalProgress>()
  #timer: Timer | undefined

  constructor({ start, onSalts }: BackgroundLineSettings) {
    this.#thread = new Thread({
      name: 'background',
      file: new URL('./background-thread.ts', import.meta.url),
      hear: ({ salts }) => onSalts(salts),
    })
    this.#thread.say(start)
  }

  /** Resolves when the thread has its store. */
  get ready(): Promise<void> {
    return this.#thread.ready
  }

  get failed(): Promise<Error> {
    return this.#thread.failed
  }

  tell(progress: JournalProgress): void {
    this.#untold.set(progress.segment, progress)
    this.#timer ??= setTimeout(() => this.#tellAll(), TELL_EVERY_MS)
  }

  /** The database is another server's by now, or may have been meanwhile. */
  tellAnotherServer(): void {
    this.#thread.say({ kind: 'another-server' })
  }

  /** Lets everything that was journaled be counted, as far as that goes within the time given, and closes the store. */
  async stop(): Promise<void> {
    this.#tellAll()
    await this.#thread.stop({ kind: 'stop' })
  }

  #tellAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const progress of this.#untold.values()) this.#thread.say({ kind: 'progress', progress })
    this.#untold.clear()
  }
}
