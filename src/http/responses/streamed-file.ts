/** The size of one chunk. */
const PIECE_CHARS = 64 * 1024

type StreamedFile = {
  name: string
  type: string
  /** Its texts, a page of them at a time. */
  pages: AsyncIterable<string[]>
  /** Called once it is sent, has failed, or nobody reads it any more. */
  onEnd(): void
}

/**
 * A response that is made as fast as its client reads it, and of which no more than a page is in memory. Rejects with what fails before
 * anything is sent.
 */
export async function streamedFile({ name, type, pages, onEnd }: StreamedFile): Promise<Response> {
  const pieces = piecesOf(pages)
  const first = await pieces.next().catch((error) => {
    onEnd()
    throw error
  })
  return new Response(streamOf({ first, pieces, onEnd }), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  })
}

async function* piecesOf(pages: AsyncIterable<string[]>): AsyncGenerator<string> {
  let piece = ''
  for await (const texts of pages) {
    for (const text of texts) {
      piece += text
      if (piece.length < PIECE_CHARS) continue
      yield piece
      piece = ''
    }
  }
  yield piece
}

type Pieces = { first: IteratorResult<string>; pieces: AsyncGenerator<string>; onEnd(): void }

function streamOf({ first, pieces, onEnd }: Pieces): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: IteratorResult<string> | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = next ?? (await pieces.next())
          next = undefined
          if (!done) return controller.enqueue(encoder.encode(value))
        } catch (error) {
          onEnd()
          throw error
        }
        onEnd()
        controller.close()
      },
      async cancel() {
        onEnd()
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Adds the headers that every response has. */
export function withCommonHeaders(streamed: Response, common: Headers): Response {
  for (const [name, value] of common) streamed.headers.append(name, value)
  return streamed
}
