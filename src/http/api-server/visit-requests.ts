import { PendingReplies } from '../../runtime/pending-replies.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { ProxiedVisit } from './api-server.ts'

/** What the API thread asks the redirect thread, which has the links and the journal. */
export type VisitRequest = { kind: 'visit'; id: number; visit: ProxiedVisit }

/** Visits that reached the API server. */
export class VisitRequests {
  readonly #send: (request: VisitRequest) => void
  readonly #pending = new PendingReplies<VisitResponse | undefined>()

  constructor(send: (request: VisitRequest) => void) {
    this.#send = send
  }

  /** Of a short URL without a path. */
  async open(visit: ProxiedVisit): Promise<VisitResponse> {
    const response = await this.openAny(visit)
    if (response === undefined) throw new Error(`The visit of ${visit.code} has no response.`)
    return response
  }

  /** Undefined if the visit has a path, and no link opens with one. */
  openAny(visit: ProxiedVisit): Promise<VisitResponse | undefined> {
    return this.#pending.request((id) => this.#send({ kind: 'visit', id, visit }))
  }

  settle(id: number, response: VisitResponse | undefined): void {
    this.#pending.resolve(id, response)
  }
}
