import { type LinkKey, keyText } from '../link-key.ts'

/** How often visitors opened a short URL that leads nowhere. */
export type NotFoundCode = LinkKey & { visits: number }

/** Visitors can invent any number of codes. Between two sends, those beyond it are not noted. */
const CODES_MAX = 500
const SEND_EVERY_MS = 5_000

/** Adds up on the redirect thread what is sent from time to time. What was not sent when the program is killed is lost: no click is in it. */
export class NotFoundCodes {
  readonly #send: (codes: NotFoundCode[]) => void
  #codes = new Map<string, NotFoundCode>()
  #timer: Timer | undefined

  constructor(send: (codes: NotFoundCode[]) => void) {
    this.#send = send
  }

  note({ domainId, code }: LinkKey): void {
    const text = keyText({ domainId, code })
    const noted = this.#codes.get(text)
    if (noted !== undefined) noted.visits++
    else if (this.#codes.size < CODES_MAX) this.#codes.set(text, { domainId, code, visits: 1 })
    this.#timer ??= setTimeout(() => this.sendAll(), SEND_EVERY_MS)
  }

  sendAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#codes.size > 0) this.#send([...this.#codes.values()])
    this.#codes = new Map()
  }
}
