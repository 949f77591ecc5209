import { PendingReplies } from '../../runtime/pending-replies.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { ProxiedVisit } from './api-server.ts'

/** What the API thread asks the redirect thread, which has the links and the journal. */
export type VisitRequest = { kind: 'visit'; id: number; visit: ProxiedVisit }

/** Visits that reached the API server. */
export class VisitRequests {
  readonly #send: (request: VisitRequest) => void
  readonly #pending = new PendingReplies<VisitResponse>()

  constructor(send: (request: VisitRequest) => void) {
    this.#send = send
  }

  open(visit: ProxiedVisit): Promise<VisitResponse> {
    return this.#pending.request((id) => this.#send({ kind: 'visit', id, visit }))
  }

  settle(id: number, response: VisitResponse): void {
    this.#pending.resolve(id, response)
  }
}
