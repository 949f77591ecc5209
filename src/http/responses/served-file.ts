import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { chooseEncoding, type Encoding, isCompressible } from './compress-response.ts'

/** Blobs, because a response made from bytes gets a copy of them, which a client that does not read holds on to. */
export type ServedBodies = Partial<Record<Encoding, Blob>> & { identity: Blob }

/** A fixed file in every encoding in which it is sent. */
export type ServedFile = {
  contentType: string
  cacheControl: string
  /** The request header that selected this file, if any. */
  dependsOn?: string
  /** Without quotes, the same for every encoding. */
  etag: string
  bodies: ServedBodies
}

// The highest quality would take two seconds for the API reference, and make it a tenth smaller.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const GZIP = { level: constants.Z_BEST_COMPRESSION }

/** Compresses on the runtime's thread pool. */
export async function packFile(file: {
  body: string | Uint8Array
  contentType: string
  cacheControl: string
}): Promise<ServedFile> {
  const { contentType, cacheControl } = file
  const identity = new Uint8Array(Buffer.from(file.body))
  const bodies: ServedBodies = { identity: new Blob([identity]) }
  if (isCompressible(contentType, identity.byteLength)) {
    const [br, gzipped] = await Promise.all([
      promisify(brotliCompress)(identity, BROTLI),
      promisify(gzip)(identity, GZIP),
    ])
    bodies.br = new Blob([br])
    bodies.gzip = new Blob([gzipped])
  }
  return { contentType, cacheControl, etag: etagOf(identity), bodies }
}

export const etagOf = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 16)

/** The best encoding for the client, or 304 if it has the file already. */
export function serveFile(
  context: Context,
  { contentType, cacheControl, dependsOn, etag, bodies }: ServedFile,
): Response {
  const encoding = chooseEncoding(context.req.header('accept-encoding'), Object.keys(bodies) as Encoding[])
  // One strong tag for each encoding: RFC 9110 §8.8.3.
  const tag = `"${etag}-${encoding}"`
  context.header('ETag', tag)
  context.header('Vary', dependsOn === undefined ? 'Accept-Encoding' : `Accept-Encoding, ${dependsOn}`)
  context.header('Cache-Control', cacheControl)
  if (hasAlready(context.req.header('if-none-match'), tag)) return context.body(null, 304)
  context.header('Content-Type', contentType)
  if (encoding !== 'identity') context.header('Content-Encoding', encoding)
  return context.newResponse(bodies[encoding]!)
}

/**
 * A weak comparison (RFC 9110 §13.1.2): a proxy that changed the encoding adds `W/` to the tag. `*` is ignored: it is meant for
 * conditional writes.
 */
const hasAlready = (ifNoneMatch: string | undefined, tag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
