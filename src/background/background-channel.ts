import type { JournalProgress } from '../clicks/journal/segment-sequence.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { NotFoundCode } from '../links/not-found/not-found-codes.ts'
import { Thread } from '../runtime/thread.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import type { FromBackgroundThread, ToBackgroundThread } from './background-thread.ts'

/** How often journal progress is sent. Clicks appear in the counters that much later. */
const SEND_EVERY_MS = 250

type BackgroundChannelOptions = {
  start: Extract<ToBackgroundThread, { kind: 'start' }>
  onSalts(salts: Map<number, Uint8Array>): void
  /** To be sent by the thread that has the mail queue. */
  onMails(emails: readonly EmailTemplate[]): void
  /** A job has changed links, which these keys open. */
  onLinksChanged(keys: readonly LinkKey[]): void
}

function hear(options: Omit<BackgroundChannelOptions, 'start'>, message: FromBackgroundThread): void {
  if (message.kind === 'salts') options.onSalts(message.salts)
  else if (message.kind === 'mails') options.onMails(message.emails)
  else options.onLinksChanged(message.keys)
}

/** The redirect thread's end of the channel to the background thread. */
export class BackgroundChannel {
  readonly #thread: Thread<ToBackgroundThread, FromBackgroundThread>
  /** The latest progress of each segment that is not sent yet. */
  readonly #unsent = new Map<string, JournalProgress>()
  #timer: Timer | undefined

  constructor({ start, ...options }: BackgroundChannelOptions) {
    this.#thread = new Thread({
      name: 'background',
      file: new URL('./background-thread.ts', import.meta.url),
      onMessage: (message) => hear(options, message),
    })
    this.#thread.send(start)
  }

  /** Resolves when the thread has its store. */
  get ready(): Promise<void> {
    return this.#thread.ready
  }

  get failed(): Promise<Error> {
    return this.#thread.failed
  }

  send(progress: JournalProgress): void {
    this.#unsent.set(progress.segment, progress)
    this.#timer ??= setTimeout(() => this.#sendAll(), SEND_EVERY_MS)
  }

  sendNotFound(codes: NotFoundCode[]): void {
    this.#thread.send({ kind: 'not_found', codes })
  }

  /** Another database server has, or may have, taken over. */
  reportFailover(): void {
    this.#thread.send({ kind: 'failover' })
  }

  /** Counts what was journaled, within a time limit, and closes the store. */
  async stop(): Promise<void> {
    this.#sendAll()
    await this.#thread.stop({ kind: 'stop' })
  }

  #sendAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const progress of this.#unsent.values()) this.#thread.send({ kind: 'progress', progress })
    this.#unsent.clear()
  }
}
