import { closeSync, fstatSync, openSync } from 'node:fs'
import { readPieces } from '../../store/files/read-pieces.ts'

/**
 * The bytes of a click file, in pieces. They end where the file cannot be read any further, and there are none if it is missing: then their
 * SHA-256 is not that of the file's row.
 */
export function* readablePieces(path: string): Generator<Buffer> {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    yield* readPieces(file, fstatSync(file).size)
  } catch (error) {
    if ((error as { errno?: unknown }).errno === undefined) throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Whether the file is there and as it was written. */
export function isIntact(path: string, sha256: string): boolean {
  const hash = new Bun.CryptoHasher('sha256')
  for (const piece of readablePieces(path)) hash.update(piece)
  return hash.digest('hex') === sha256
}
