import type { Log, LogFields } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Letter } from './letter.ts'

/** Takes letters and delivers them meanwhile: who posts one does not wait, and cannot tell whether there was one. */
export type Mails = { post(letter: Letter): void }

const WAITING_MAX = 1_000
const AT_ONCE_MAX = 4
/** To make a mail takes milliseconds of this thread. The answer goes first, so that its time does not tell of a mail. */
const BEGIN_AFTER_MS = 50
/** A mail server that is being restarted is back within a minute. */
const RETRY_AFTER_MS = [1_000, 10_000, 60_000]
/** At the end, letters under way are waited for so long. */
const LAST_LETTERS_MS_MAX = 3_000

export type PostOfficeDeps = {
  send(letter: Letter): Promise<void>
  log: Log
  metrics: Pick<Metrics, 'mails' | 'mailsWaiting'>
  /** For tests. */
  wait?(ms: number): Promise<void>
}

type Posted = { letter: Letter; tries: number }

/**
 * Letters in memory, and a few under way. What is not delivered when the program ends is lost, and can be asked for again.
 *
 *   waiting ──▶ under way ──(sent, or refused for good)──▶ gone
 *      ▲            │
 *      └── later ◀──┘ (could not be sent just then; holds up nobody else's)
 */
export class PostOffice implements Mails {
  readonly #deps: PostOfficeDeps
  readonly #waiting: Posted[] = []
  #underWay = 0
  #later = 0
  #isEmpty = Promise.withResolvers<void>()
  #begin: Timer | undefined

  constructor(deps: PostOfficeDeps) {
    this.#deps = deps
    this.#isEmpty.resolve()
  }

  post(letter: Letter): void {
    const { log, metrics } = this.#deps
    if (this.#waiting.length + this.#later >= WAITING_MAX) {
      metrics.mails.dropped.add()
      return log.error('The mail queue is full; an email was dropped.', { subject: letter.subject })
    }
    if (this.#left === 0) this.#isEmpty = Promise.withResolvers<void>()
    this.#waiting.push({ letter, tries: 0 })
    this.#begin ??= setTimeout(() => {
      this.#begin = undefined
      this.#deliverSome()
    }, BEGIN_AFTER_MS)
  }

  /** Resolves when nothing is left to deliver, or it takes too long. */
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

  async #deliver(posted: Posted): Promise<void> {
    const { send, metrics } = this.#deps
    this.#underWay++
    try {
      await send(posted.letter)
      metrics.mails.sent.add()
    } catch (error) {
      this.#putOff(posted, error)
    } finally {
      this.#underWay--
      this.#deliverSome()
    }
  }

  #putOff({ letter, tries }: Posted, error: unknown): void {
    const { log, metrics, wait = Bun.sleep } = this.#deps
    const afterMs = isFinal(error) ? undefined : RETRY_AFTER_MS[tries]
    const fields = { subject: letter.subject, ...codesOf(error) }
    if (afterMs === undefined) {
      metrics.mails.failed.add()
      return log.warn('Could not send an email.', fields)
    }
    log.warn('Could not send an email; will retry.', fields)
    this.#later++
    void wait(afterMs).then(() => {
      this.#later--
      this.#waiting.push({ letter, tries: tries + 1 })
      this.#deliverSome()
    })
  }
}

type SendError = { code?: string; command?: string; responseCode?: number }

/** Not the message, in which a mail server names the address: the log holds nothing about persons. */
function codesOf(error: unknown): LogFields {
  const { code, command, responseCode } = error as SendError
  return { code, command, response_code: responseCode }
}

/** RFC 5321, 4.2.1: 5yz is the server's last word. What nodemailer itself refuses to send, it will refuse again. */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as SendError
  return responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500
}
