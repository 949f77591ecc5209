import { pipeline, type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

type EncodedBody = Readable & { headers: { 'content-encoding'?: string | undefined } }

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * The body without its Content-Encoding, at most `bytesMax` of it, however much it would decode to. The same limit holds for the
 * encoded bytes, because they may decode to nothing. Throws on a broken encoding.
 */
export async function* decodedBody(message: EncodedBody, bytesMax: number): AsyncGenerator<Uint8Array> {
  let remainingBytes = bytesMax
  for await (const chunk of decoded(message, bytesMax)) {
    const bytes = chunk as Uint8Array
    if (bytes.byteLength >= remainingBytes) return yield bytes.subarray(0, remainingBytes)
    remainingBytes -= bytes.byteLength
    yield bytes
  }
}

function decoded(message: EncodedBody, bytesMax: number): Readable {
  const coding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return message
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding]!() : undefined
  // More than one coding occurs in attacks only.
  if (decoder === undefined) throw new Error(`unknown content encoding: ${coding.slice(0, 40)}`)
  pipeline(message, firstBytes(bytesMax), decoder, () => {})
  return decoder
}

function firstBytes(bytesMax: number): Transform {
  let remainingBytes = bytesMax
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      remainingBytes -= chunk.byteLength
      done(remainingBytes < 0 ? new Error('more encoded bytes than decoded ones are read') : null, chunk)
    },
  })
}
