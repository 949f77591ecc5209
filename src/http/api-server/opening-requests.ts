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
  readonly #thread: { readonly isRefusing: boolean }
  readonly #pending = new PendingReplies<OpeningOutcome>()

  constructor(send: (request: OpeningRequest) => void, thread: { readonly isRefusing: boolean }) {
    this.#send = send
    this.#thread = thread
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
    if (this.#thread.isRefusing)
      return Promise.reject(new StoreUnavailable('The API thread does not respond.'))
    return this.#request(kind, linkId)
  }

  #request(kind: OpeningRequest['kind'], linkId: number): Promise<OpeningOutcome> {
    return this.#pending.request((id) => {
      this.#send({ kind, id, linkId })
      if (this.#thread.isRefusing) this.#pending.reject(id, unknownOutcome())
    })
  }

  settle({ id, outcome }: OpeningAnswer): void {
    if (outcome === 'unknown') this.#pending.reject(id, unknownOutcome())
    else this.#pending.resolve(id, outcome)
  }

  /** The thread is blocked, or has ended. */
  rejectAll(): void {
    this.#pending.rejectAll(unknownOutcome())
  }
}

const unknownOutcome = () => new StoreUnavailable('The opening could not be written or read.')
