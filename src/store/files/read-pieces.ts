import { readSync } from 'node:fs'

const PIECE_BYTES = 1024 * 1024

/** The bytes of an open file up to this size, in pieces. The next piece overwrites the one before. */
export function* readPieces(file: number, size: number): Generator<Buffer> {
  const bytes = Buffer.allocUnsafe(PIECE_BYTES)
  for (let at = 0; at < size;) {
    const read = readSync(file, bytes, 0, Math.min(PIECE_BYTES, size - at), at)
    if (read === 0) return
    yield bytes.subarray(0, read)
    at += read
  }
}
