/** Requests to another thread, by the id that its reply names. */
export class PendingReplies<Reply> {
  readonly #pending = new Map<number, PromiseWithResolvers<Reply>>()
  #lastId = 0

  /** Sends the request with a new id. */
  request(send: (id: number) => void): Promise<Reply> {
    const id = ++this.#lastId
    const pending = Promise.withResolvers<Reply>()
    this.#pending.set(id, pending)
    send(id)
    return pending.promise
  }

  /** A reply to a request that has failed since is dropped. */
  resolve(id: number, reply: Reply): void {
    this.#take(id)?.resolve(reply)
  }

  reject(id: number, error: Error): void {
    this.#take(id)?.reject(error)
  }

  rejectAll(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(error)
    this.#pending.clear()
  }

  #take(id: number): PromiseWithResolvers<Reply> | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }
}
