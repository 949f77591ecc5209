import type { Log, LogFields } from '../log.ts'
import type { Letter } from './letter.ts'

/** Takes letters and delivers them meanwhile: who posts one does not wait, and cannot tell whether there was one. */
export type Mails = { post(letter: Letter): void }

const WAITING_MAX = 1_000
const AT_ONCE_MAX = 4
/** A mail server that is being restarted is back within a minute. */
const RETRY_AFTER_MS = [1_000, 10_000, 60_000]
/** At the end, letters under way are waited for so long. */
const LAST_LETTERS_MS_MAX = 3_000

export type PostOfficeDeps = {
  send(letter: Letter): Promise<void>
  log: Log
  /** For tests. */
  wait?(ms: number): Promise<void>
}

/** Letters in memory, and a few under way. What is not delivered when the program ends is lost, and can be asked for again. */
export class PostOffice implements Mails {
  readonly #deps: PostOfficeDeps
  readonly #waiting: Letter[] = []
  readonly #underWay = new Set<Promise<void>>()

  constructor(deps: PostOfficeDeps) {
    this.#deps = deps
  }

  post(letter: Letter): void {
    if (this.#waiting.length >= WAITING_MAX) {
      return this.#deps.log.error('Too many mails are waiting; one was dropped.', { subject: letter.subject })
    }
    this.#waiting.push(letter)
    this.#deliverSome()
  }

  /** Resolves when nothing is left to deliver, or it takes too long. */
  async settle(): Promise<void> {
    const all = (async () => {
      while (this.#underWay.size > 0) await Promise.race(this.#underWay)
    })()
    await Promise.race([all, Bun.sleep(LAST_LETTERS_MS_MAX)])
  }

  #deliverSome(): void {
    while (this.#underWay.size < AT_ONCE_MAX && this.#waiting.length > 0) {
      const delivery = this.#deliver(this.#waiting.shift()!).finally(() => {
        this.#underWay.delete(delivery)
        this.#deliverSome()
      })
      this.#underWay.add(delivery)
    }
  }

  async #deliver(letter: Letter): Promise<void> {
    const { send, log, wait = Bun.sleep } = this.#deps
    for (let tries = 0; ; tries++) {
      try {
        return await send(letter)
      } catch (error) {
        const afterMs = isFinal(error) ? undefined : RETRY_AFTER_MS[tries]
        log.warn(
          afterMs === undefined
            ? 'A mail could not be sent.'
            : 'A mail could not be sent; it is tried again.',
          { subject: letter.subject, ...codesOf(error) },
        )
        if (afterMs === undefined) return
        await wait(afterMs)
      }
    }
  }
}

type SendError = { code?: string; command?: string; responseCode?: number }

/** Not the message, in which a mail server names the address: the log holds nothing about persons. */
function codesOf(error: unknown): LogFields {
  const { code, command, responseCode } = error as SendError
  return { code, command, response_code: responseCode }
}

/** RFC 5321, 4.2.1: 5yz is the server's last word. */
const isFinal = (error: unknown) => ((error as SendError).responseCode ?? 0) >= 500
