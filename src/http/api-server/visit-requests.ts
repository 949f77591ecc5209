import { PendingReplies } from '../../runtime/pending-replies.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { ProxiedVisit } from './api-server.ts'

/** What the API thread asks the redirect thread, which has the links and the journal. */
export type VisitRequest = { kind: 'visit'; id: number; visits: readonly ProxiedVisit[] }

/** Visits that reached the API server. */
export class VisitRequests {
  readonly #send: (request: VisitRequest) => void
  readonly #pending = new PendingReplies<VisitResponse | undefined>()

  constructor(send: (request: VisitRequest) => void) {
    this.#send = send
  }

  /** Of the first that opens a link. Undefined if all are guesses, and there is no such link. */
  open(visits: readonly ProxiedVisit[]): Promise<VisitResponse | undefined> {
    return this.#pending.request((id) => this.#send({ kind: 'visit', id, visits }))
  }

  settle(id: number, response: VisitResponse | undefined): void {
    this.#pending.resolve(id, response)
  }
}
