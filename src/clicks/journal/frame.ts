/**
 * A frame of a journal segment, little endian:
 *
 *   CRC32 of the rest, u32 | length u32 (1 … 65,536) | payload
 */
export const FRAME_HEAD_BYTES = 8
export const PAYLOAD_BYTES_MAX = 65_536

/** Completes the frame at `start` after its payload was written. Returns the offset behind it. */
export function closeFrame(buffer: Buffer, start: number, end: number): number {
  buffer.writeUInt32LE(end - start - FRAME_HEAD_BYTES, start + 4)
  buffer.writeUInt32LE(crc32(buffer, start + 4, end), start)
  return end
}

/** The payload of the frame at `start`. 'cut': the bytes end before the frame does. 'bad': there is no valid frame. */
export function readFrame(bytes: Buffer, start: number, end = bytes.length): Buffer | 'cut' | 'bad' {
  if (start + FRAME_HEAD_BYTES > end) return 'cut'
  const length = bytes.readUInt32LE(start + 4)
  if (length === 0 || length > PAYLOAD_BYTES_MAX) return 'bad'
  const frameEnd = start + FRAME_HEAD_BYTES + length
  if (frameEnd > end) return 'cut'
  if (bytes.readUInt32LE(start) !== crc32(bytes, start + 4, frameEnd)) return 'bad'
  return bytes.subarray(start + FRAME_HEAD_BYTES, frameEnd)
}

export function crc32(buffer: Buffer, start: number, end: number): number {
  return Bun.hash.crc32(buffer.subarray(start, end))
}
