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
