type BodyStreamSettings = {
  /** The next chunk is wanted. */
  ask(): void
  /** No more are: the end has come, or the client has gone. */
  close(): void
}

/** Answers whose length nobody knows when they begin. */
const STREAMED_TYPES = ['text/event-stream', 'application/x-ndjson']

export function isStreamed(response: Response): boolean {
  const type = response.headers.get('content-type') ?? ''
  return STREAMED_TYPES.some((streamed) => type.startsWith(streamed))
}

/**
 * A body that comes from another thread, one chunk for each time that the client has room for one.
 *
 *   open ──(ask, take a chunk) …──▶ open ──(take the end, client gone, end)──▶ closed
 */
export class BodyStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly #settings: BodyStreamSettings
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #taken: (() => void) | undefined

  constructor(settings: BodyStreamSettings) {
    this.#settings = settings
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#askForChunk(),
      cancel: () => this.#close(),
    })
  }

  take(bytes: Uint8Array | undefined): void {
    if (bytes === undefined) return this.end()
    this.#controller?.enqueue(bytes)
    this.#taken?.()
  }

  end(): void {
    this.#controller?.close()
    this.#close()
  }

  #askForChunk(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#taken = resolve
    this.#settings.ask()
    return promise
  }

  #close(): void {
    if (this.#controller === undefined) return
    this.#controller = undefined
    this.#taken?.()
    this.#settings.close()
  }
}
