import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import type { OpeningStore } from '../../redirect/limited-openings.ts'
import { PendingReplies } from '../../runtime/pending-replies.ts'

/** What the redirect thread asks the API thread, which writes. */
export type OpeningRequest = { kind: (typeof KINDS)[number]; id: number; linkId: number }
const KINDS = ['spend-opening', 'check-limit', 'return-opening'] as const
export const isOpeningRequest = <Message extends { kind: string }>(
  message: Message,
): message is Extract<Message, OpeningRequest> => (KINDS as readonly string[]).includes(message.kind)

export type OpeningAnswer = { kind: 'opening'; id: number; outcome: OpeningOutcome }
/**
 * `unknown`: the store could not be reached, so it may be spent, or returned, or not. `some left`: of a check or a return, which
 * spend none.
 */
export type OpeningOutcome = 'spent' | 'some left' | 'none left' | 'unknown'

/** Openings of limited links, spent on the API thread so that no visitor waits for another one's disk write. */
export class OpeningRequests implements OpeningStore {
  readonly #send: (request: OpeningRequest) => void
  readonly #pending = new PendingReplies<OpeningOutcome>()
  #isRefusing = false

  constructor(send: (request: OpeningRequest) => void) {
    this.#send = send
  }

  async spend(linkId: number): Promise<boolean> {
    return (await this.#ask('spend-opening', linkId)) === 'spent'
  }

  async isLimitReached(linkId: number): Promise<boolean> {
    return (await this.#ask('check-limit', linkId)) === 'none left'
  }

  async giveBack(linkId: number): Promise<void> {
    // Also to a thread that is blocked, which does it later.
    await this.#request('return-opening', linkId).catch(() => {})
  }

  #ask(kind: OpeningRequest['kind'], linkId: number): Promise<OpeningOutcome> {
    if (this.#isRefusing) return Promise.reject(new StoreUnavailable('The API thread does not respond.'))
    return this.#request(kind, linkId)
  }

  #request(kind: OpeningRequest['kind'], linkId: number): Promise<OpeningOutcome> {
    return this.#pending.request((id) => {
      this.#send({ kind, id, linkId })
      if (this.#isRefusing) this.#pending.reject(id, unknownOutcome())
    })
  }

  settle({ id, outcome }: OpeningAnswer): void {
    if (outcome === 'unknown') this.#pending.reject(id, unknownOutcome())
    else this.#pending.resolve(id, outcome)
  }

  /** While the thread is blocked, or for good when it has ended. */
  setRefusing(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
    if (isRefusing) this.#pending.rejectAll(unknownOutcome())
  }
}

const unknownOutcome = () => new StoreUnavailable('The opening could not be written or read.')
