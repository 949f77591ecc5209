import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { ProxiedVisit } from './api-server.ts'

/** What the API thread asks the redirect thread, which has the links and the journal. */
export type VisitRequest = { kind: 'visit'; id: number; visit: ProxiedVisit }

/** Visits that reached the API server. */
export class VisitRequests {
  readonly #send: (request: VisitRequest) => void
  readonly #pending = new Map<number, (response: VisitResponse) => void>()
  #lastId = 0

  constructor(send: (request: VisitRequest) => void) {
    this.#send = send
  }

  open(visit: ProxiedVisit): Promise<VisitResponse> {
    const { promise, resolve } = Promise.withResolvers<VisitResponse>()
    this.#pending.set(++this.#lastId, resolve)
    this.#send({ kind: 'visit', id: this.#lastId, visit })
    return promise
  }

  settle(id: number, response: VisitResponse): void {
    this.#pending.get(id)?.(response)
    this.#pending.delete(id)
  }
}
