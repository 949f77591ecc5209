/** The largest body of an API request. */
export const BODY_BYTES_MAX = 1024 * 1024

/** The request's body; 'too-large' as soon as that is clear, without reading the rest; undefined when there is none. */
export async function readBody(request: Request): Promise<ArrayBuffer | 'too-large' | undefined> {
  if (request.body === null) return undefined
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > BODY_BYTES_MAX) return 'too-large'
  if (declared <= BODY_BYTES_MAX) return request.arrayBuffer()
  return readUpToLimit(request.body)
}

/** A body of undeclared length. */
async function readUpToLimit(body: ReadableStream<Uint8Array>): Promise<ArrayBuffer | 'too-large'> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) return 'too-large'
    chunks.push(chunk)
  }
  return Bun.concatArrayBuffers(chunks)
}
