import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { EmailTemplate } from './email-template.ts'
import { failureFields, isFinalFailure } from './mail-failure.ts'

/** Callers do not wait, so timing does not reveal whether an email was sent. */
export type MailSender = { post(email: EmailTemplate): void }

const WAITING_MAX = 1_000
const AT_ONCE_MAX = 4
/** Composing takes milliseconds on this thread. The response is sent first, so that its timing does not reveal an email. */
const BEGIN_AFTER_MS = 50
/** A mail server that restarts is back within a minute. */
const RETRY_AFTER_MS = [1_000, 10_000, 60_000]
/** On shutdown, emails in delivery get this long. */
const LAST_LETTERS_MS_MAX = 3_000

export type MailQueueDeps = {
  send(email: EmailTemplate): Promise<void>
  log: Log
  metrics: Pick<Metrics, 'mails' | 'mailsWaiting'>
  /** For tests. */
  wait?(ms: number): Promise<void>
}

type QueuedEmail = { email: EmailTemplate; tries: number }

/**
 * A queue in memory. Emails not delivered before the process exits are lost; users can request them again.
 *
 *   waiting ──▶ in delivery ──(sent, or refused permanently)──▶ removed
 *      ▲             │
 *      └── retry ◀───┘ (a temporary failure; delays no other email)
 */
export class MailQueue implements MailSender {
  readonly #deps: MailQueueDeps
  readonly #waiting: QueuedEmail[] = []
  #underWay = 0
  #later = 0
  #isEmpty = Promise.withResolvers<void>()
  #begin: Timer | undefined

  constructor(deps: MailQueueDeps) {
    this.#deps = deps
    this.#isEmpty.resolve()
  }

  post(email: EmailTemplate): void {
    const { log, metrics } = this.#deps
    if (this.#waiting.length + this.#later >= WAITING_MAX) {
      metrics.mails.dropped.add()
      return log.error('The mail queue is full; an email was dropped.', { subject: email.subject })
    }
    if (this.#left === 0) this.#isEmpty = Promise.withResolvers<void>()
    this.#waiting.push({ email, tries: 0 })
    this.#begin ??= setTimeout(() => {
      this.#begin = undefined
      this.#deliverSome()
    }, BEGIN_AFTER_MS)
  }

  /** Resolves when the queue is empty, or after the time for shutdown. */
  async settle(): Promise<void> {
    await Promise.race([this.#isEmpty.promise, Bun.sleep(LAST_LETTERS_MS_MAX)])
  }

  get #left(): number {
    return this.#waiting.length + this.#underWay + this.#later
  }

  #deliverSome(): void {
    while (this.#underWay < AT_ONCE_MAX && this.#waiting.length > 0)
      void this.#deliver(this.#waiting.shift()!)
    this.#deps.metrics.mailsWaiting.set(this.#left)
    if (this.#left === 0) this.#isEmpty.resolve()
  }

  async #deliver(posted: QueuedEmail): Promise<void> {
    const { send, metrics } = this.#deps
    this.#underWay++
    try {
      await send(posted.email)
      metrics.mails.sent.add()
    } catch (error) {
      this.#putOff(posted, error)
    } finally {
      this.#underWay--
      this.#deliverSome()
    }
  }

  #putOff({ email, tries }: QueuedEmail, error: unknown): void {
    const { log, metrics, wait = Bun.sleep } = this.#deps
    const afterMs = isFinalFailure(error) ? undefined : RETRY_AFTER_MS[tries]
    const fields = { subject: email.subject, ...failureFields(error) }
    if (afterMs === undefined) {
      metrics.mails.failed.add()
      return log.warn('Could not send an email.', fields)
    }
    log.warn('Could not send an email; will retry.', fields)
    this.#later++
    void wait(afterMs).then(() => {
      this.#later--
      this.#waiting.push({ email, tries: tries + 1 })
      this.#deliverSome()
    })
  }
}
