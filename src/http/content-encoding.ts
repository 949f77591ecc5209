/** Best first: what wins among those that a client likes equally. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Below it the saving is not worth the header. */
export const COMPRESSED_BYTES_MIN = 1024

/** Pictures and fonts are compressed already; what has no length when it begins is not compressed either. */
const COMPRESSIBLE = /^(?:application\/json|image\/svg\+xml|text\/(?:html|plain|css|javascript))\b/

export const isCompressible = (contentType: string, sizeBytes: number): boolean =>
  sizeBytes > COMPRESSED_BYTES_MIN && COMPRESSIBLE.test(contentType)

/**
 * The form that the client likes best (RFC 9110 §12.5.3), of those that there are. `*` is not taken at its word: who sends
 * it may know no form in particular.
 */
export function chooseEncoding(accepted: string | undefined, available: readonly Encoding[]): Encoding {
  const weights = readWeights(accepted ?? '')
  const weightOf = (encoding: Encoding) =>
    // What is not compressed is always there, but comes last unless it is asked for.
    weights.get(encoding) ?? (encoding === 'identity' ? Number.MIN_VALUE : 0)
  const liked = ENCODINGS.filter((each) => available.includes(each) && weightOf(each) > 0)
  return liked.reduce((best, each) => (weightOf(each) > weightOf(best) ? each : best), liked[0] ?? 'identity')
}

function readWeights(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))
      // A weight that is no number is none.
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
}
