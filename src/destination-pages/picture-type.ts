/**
 * The type of a picture by its first bytes, which a server cannot get wrong or lie about: browsers decode these formats by the
 * same bytes. Everything else is undefined, SVG above all, which is a document with scripts.
 */
export function pictureType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return TYPES.find(([signature]) => signature.test(start))?.[1]
}

const TYPES: readonly [signature: RegExp, type: string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^RIFF.{4}WEBPVP8/s, 'image/webp'],
]
