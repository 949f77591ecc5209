import { describeError, type Log } from '../../runtime/log.ts'

type Reader = { read(): Promise<{ value?: Uint8Array | undefined }>; cancel(): Promise<void> }

/** Responses whose length is not known when they begin. */
const STREAMED_TYPES = ['text/event-stream', 'application/x-ndjson']

export function isStreamed(response: Response): boolean {
  const type = response.headers.get('content-type') ?? ''
  return STREAMED_TYPES.some((streamed) => type.startsWith(streamed))
}

/** The streamed responses under way: they would otherwise hold up the end of the program, some of them forever. */
export class ResponseStreams {
  readonly #log: Log
  readonly #readers = new Set<Reader>()

  constructor(log: Log) {
    this.#log = log
  }

  /** The same body, read as far as the client takes it, until `endAll`. */
  add(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    this.#readers.add(reader)
    return new ReadableStream(
      {
        pull: async (controller) => {
          const bytes = await this.#readNext(reader)
          if (bytes !== undefined) return controller.enqueue(bytes)
          this.#readers.delete(reader)
          controller.close()
        },
        cancel: () => this.#end(reader),
      },
      { highWaterMark: 0 },
    )
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => this.#end(reader)))
  }

  /** The response has begun, so an error can only end it early; its length was never promised. */
  async #readNext(reader: Reader): Promise<Uint8Array | undefined> {
    try {
      return (await reader.read()).value
    } catch (error) {
      this.#log.error('A response was aborted.', describeError(error))
      return undefined
    }
  }

  async #end(reader: Reader): Promise<void> {
    this.#readers.delete(reader)
    await reader.cancel().catch((error) => this.#log.warn('A stream did not close.', describeError(error)))
  }
}
