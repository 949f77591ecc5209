import { Refusal } from '../../errors/refusal.ts'
import type { ImportView } from '../../http/endpoints/import-record-endpoints.ts'
import { callApi, type Server } from '../links/call-api.ts'

/** The record of a run on the server, by which it is undone. It begins with the first links that are sent: nothing is remembered of what cannot be read. */
export class RecordedImport {
  readonly #server: Server
  readonly #source: string
  #begun: Promise<number> | undefined
  #id: number | undefined

  constructor(server: Server, source: string) {
    this.#server = server
    this.#source = source
  }

  /** Undefined before it has begun. */
  get id(): number | undefined {
    return this.#id
  }

  /** Once, for all groups. */
  begin(): Promise<number> {
    return (this.#begun ??= this.#begin())
  }

  async #begin(): Promise<number> {
    const body = { source: this.#source }
    const { answer } = await callApi(this.#server, { method: 'POST', path: '/api/imports', body })
    return (this.#id = (answer.data as ImportView).id)
  }

  /** If the server refuses that, the links are imported all the same, and can be undone. */
  async end(): Promise<void> {
    if (this.#id === undefined) return
    await callApi(this.#server, { method: 'POST', path: `/api/imports/${this.#id}/end` }).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
  }
}
