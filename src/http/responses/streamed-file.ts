/** The size of one chunk. */
const PIECE_CHARS = 64 * 1024

type StreamedFile = {
  name: string
  type: string
  /** Its texts or its bytes, a page of them at a time. */
  pages: AsyncIterable<string[] | Uint8Array>
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
      'Content-Type': type.startsWith('text/') || type.includes('json') ? `${type}; charset=utf-8` : type,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  })
}

async function* piecesOf(pages: StreamedFile['pages']): AsyncGenerator<Piece> {
  let piece = ''
  for await (const page of pages) {
    if (page instanceof Uint8Array) {
      yield page
      continue
    }
    for (const text of page) {
      piece += text
      if (piece.length < PIECE_CHARS) continue
      yield piece
      piece = ''
    }
  }
  yield piece
}

type Piece = string | Uint8Array
type Pieces = { first: IteratorResult<Piece>; pieces: AsyncGenerator<Piece>; onEnd(): void }

function streamOf({ first, pieces, onEnd }: Pieces): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: IteratorResult<Piece> | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = next ?? (await pieces.next())
          next = undefined
          if (!done) return controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
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
