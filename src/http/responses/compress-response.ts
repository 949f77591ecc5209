import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { ApiRequest } from '../api-server/api-server.ts'

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

/** In order of preference, among those that the client accepts equally. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Smaller bodies are not worth compressing. */
export const COMPRESSED_BYTES_MIN = 1024

/** Images and fonts are already compressed. Streams are not compressed. */
const COMPRESSIBLE = /^(?:application\/json|image\/svg\+xml|text\/(?:html|plain|css|javascript))\b/

export const isCompressible = (contentType: string, sizeBytes: number): boolean =>
  sizeBytes > COMPRESSED_BYTES_MIN && COMPRESSIBLE.test(contentType)

/**
 * The encoding that the client prefers (RFC 9110 §12.5.3), of those available. `*` is ignored: clients that send it may support
 * no particular encoding.
 */
export function chooseEncoding(accepted: string | undefined, available: readonly Encoding[]): Encoding {
  const weights = readWeights(accepted ?? '')
  const weightOf = (encoding: Encoding) =>
    // Without compression is always possible, but comes last unless the client names it.
    weights.get(encoding) ?? (encoding === 'identity' ? Number.MIN_VALUE : 0)
  const liked = ENCODINGS.filter((each) => available.includes(each) && weightOf(each) > 0)
  return liked.reduce((best, each) => (weightOf(each) > weightOf(best) ? each : best), liked[0] ?? 'identity')
}

function readWeights(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))
      // Ignore a weight that is not a number.
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
}

/** As the client takes it. */
export async function packedResponse(asked: ApiRequest, response: Response): Promise<Response> {
  const { status, headers } = response
  const body = await response.arrayBuffer()
  const packed = await compressResponse({ status, headers: [...headers], body }, acceptedEncodings(asked))
  return new Response(packed.body, packed)
}

/** What the dashboard answers to a change may be a secret that is shown only once: its length must not reveal anything. */
function acceptedEncodings({ request, target }: ApiRequest): string | undefined {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead && target.startsWith('/dashboard/')) return undefined
  return request.headers.get('accept-encoding') ?? undefined
}

/** Nothing of ours answers with less than 200 here. */
export const classOf = (status: number) => `${Math.floor(status / 100)}xx` as '2xx' | '3xx' | '4xx' | '5xx'
