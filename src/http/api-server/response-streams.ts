import { describeError, type Log } from '../../runtime/log.ts'

type Reader = { read(): Promise<{ value?: Uint8Array | undefined }>; cancel(): Promise<void> }

/** Responses whose length is not known when they begin. */
const LIVE_TYPE = 'text/event-stream'
const STREAMED_TYPES = [LIVE_TYPE, 'application/x-ndjson', 'text/csv']

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

  /**
   * The body of the response, read as far as the client takes it, until `endAll`. A file that could not be read to its end
   * breaks the connection, because half of it would look like all of it.
   */
  add(response: Response): ReadableStream<Uint8Array> {
    const reader: Reader = response.body!.getReader()
    const isFile = !response.headers.get('content-type')!.startsWith(LIVE_TYPE)
    this.#readers.add(reader)
    return new ReadableStream(
      {
        pull: async (controller) => {
          const bytes = await this.#readNext(reader)
          if (bytes !== undefined) return controller.enqueue(bytes)
          const isWhole = this.#readers.delete(reader)
          if (isFile && !isWhole) controller.error(new Error('The response has not been read to its end.'))
          else controller.close()
        },
        cancel: () => this.#end(reader),
      },
      { highWaterMark: 0 },
    )
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => this.#end(reader)))
  }

  /** Undefined at the end. */
  async #readNext(reader: Reader): Promise<Uint8Array | undefined> {
    try {
      return (await reader.read()).value
    } catch (error) {
      this.#log.error('A response was aborted.', describeError(error))
      this.#readers.delete(reader)
      return undefined
    }
  }

  async #end(reader: Reader): Promise<void> {
    this.#readers.delete(reader)
    await reader.cancel().catch((error) => this.#log.warn('A stream did not close.', describeError(error)))
  }
}
