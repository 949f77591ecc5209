/** The largest body of an API request. */
export const BODY_BYTES_MAX = 1024 * 1024
/** Below the 30 seconds that proxies wait for a response. */
const DROPPING_MS_MAX = 20_000

/**
 * The request's body; undefined if there is none. One that is too large is read to its end and discarded: HAProxy and Caddy
 * reset an HTTP/2 stream that gets its response before its body has arrived, and the client never sees why. Bun limits its
 * size, DROPPING_MS_MAX its time.
 */
export async function readBody(
  request: Request,
  droppingMsMax = DROPPING_MS_MAX,
): Promise<ArrayBuffer | 'too-large' | undefined> {
  if (request.body === null) return undefined
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared <= BODY_BYTES_MAX) return request.arrayBuffer()
  const reader = request.body.getReader()
  const chunks = declared > BODY_BYTES_MAX ? 'too-large' : await readUpToLimit(reader)
  if (chunks !== 'too-large') return Bun.concatArrayBuffers(chunks)
  await dropRest(reader, droppingMsMax)
  return 'too-large'
}

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/** A body of unknown length. */
async function readUpToLimit(reader: Reader): Promise<Uint8Array[] | 'too-large'> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { value } = await reader.read()
    if (value === undefined) return chunks
    size += value.length
    if (size > BODY_BYTES_MAX) return 'too-large'
    chunks.push(value)
  }
}

async function dropRest(reader: Reader, msMax: number): Promise<void> {
  const timer = setTimeout(() => void reader.cancel(), msMax)
  try {
    while (!(await reader.read()).done);
  } finally {
    clearTimeout(timer)
  }
}
