import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { chooseEncoding, type Encoding, isCompressible } from './content-encoding.ts'

type HeaderFields = [name: string, value: string][]
type AnswerParts = { status: number; headers: HeaderFields; body: ArrayBuffer }

/** As fast as gzip, and smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const COMPRESS = {
  br: {
    here: (body: ArrayBuffer) => brotliCompressSync(body, BROTLI),
    onPool: (body: ArrayBuffer) => promisify(brotliCompress)(body, BROTLI),
  },
  gzip: { here: (body: ArrayBuffer) => gzipSync(body), onPool: promisify<ArrayBuffer, Buffer>(gzip) },
}

/** Takes a few milliseconds. What is larger is compressed on the runtime's thread pool. */
const HERE_BYTES_MAX = 128 * 1024
/** What waits is held in memory. Others are sent as they are. */
const ON_POOL_MAX = 8
let onPool = 0
let lastOnPool: Promise<unknown> = Promise.resolve()

/** Compresses a response that was generated for one request, unless it already has an encoding. */
export async function compressResponse(
  answer: AnswerParts,
  acceptEncoding: string | undefined,
): Promise<AnswerParts> {
  const { headers, body } = answer
  const valueOf = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
  const hasForm = valueOf('content-encoding') !== undefined || valueOf('vary') !== undefined
  if (hasForm || !isCompressible(valueOf('content-type') ?? '', body.byteLength)) return answer
  const varied: HeaderFields = [...headers, ['Vary', 'Accept-Encoding']]
  const encoding = chooseEncoding(acceptEncoding, ['br', 'gzip', 'identity'])
  const isLarge = body.byteLength > HERE_BYTES_MAX
  if (encoding === 'identity' || (isLarge && onPool >= ON_POOL_MAX)) return { ...answer, headers: varied }
  const bytes = isLarge ? await compressOnPool(body, encoding) : COMPRESS[encoding].here(body)
  return {
    ...answer,
    headers: [...varied, ['Content-Encoding', encoding]],
    // A copy, because the buffer is transferred to another thread.
    body: new Uint8Array(bytes).buffer,
  }
}

/** One at a time: the pool also writes the journal, for which redirects wait. */
async function compressOnPool(body: ArrayBuffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  onPool++
  const compressed = lastOnPool.then(() => COMPRESS[encoding].onPool(body))
  lastOnPool = compressed.catch(() => {})
  return compressed.finally(() => onPool--)
}
