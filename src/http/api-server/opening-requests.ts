import type { SpentOpening } from '../../links/link-openings.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import type { OpeningStore } from '../../redirect/limited-openings.ts'

/** What the redirect thread asks the API thread, which writes. */
export type OpeningRequest =
  { kind: 'spend-opening'; id: number; linkId: number } | { kind: 'return-opening'; linkId: number }
export type OpeningAnswer = { kind: 'opening'; id: number; outcome: OpeningOutcome }
/** `unknown`: the store could not be reached, so it may be spent or not. */
type OpeningOutcome = SpentOpening | 'unknown'

/** Openings of limited links, spent on the API thread so that no visitor waits for another one's disk write. */
export class OpeningRequests implements OpeningStore {
  readonly #send: (request: OpeningRequest) => void
  readonly #pending = new Map<number, PromiseWithResolvers<SpentOpening>>()
  #lastId = 0
  #isRefusing = false

  constructor(send: (request: OpeningRequest) => void) {
    this.#send = send
  }

  spend(linkId: number): Promise<SpentOpening> {
    if (this.#isRefusing) return Promise.reject(new StoreUnavailable('The API thread does not respond.'))
    const pending = Promise.withResolvers<SpentOpening>()
    this.#pending.set(++this.#lastId, pending)
    this.#send({ kind: 'spend-opening', id: this.#lastId, linkId })
    return pending.promise
  }

  giveBack(linkId: number): void {
    this.#send({ kind: 'return-opening', linkId })
  }

  settle({ id, outcome }: OpeningAnswer): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (outcome === 'unknown') pending?.reject(new StoreUnavailable('The opening could not be written.'))
    else pending?.resolve(outcome)
  }

  /** While the thread is blocked, or for good when it has ended. */
  setRefusing(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
    if (!isRefusing) return
    for (const id of [...this.#pending.keys()]) this.settle({ kind: 'opening', id, outcome: 'unknown' })
  }
}
