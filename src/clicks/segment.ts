/**
 * A journal segment: a header of 256 bytes, then frames, then, when it was closed in order, a seal as the last frame.
 *
 *   header   magic 8 | version u16 | segment 16 | folder 16 | boot 16 | previous 16 | base count f64 | created f64 |
 *            node length u8, node ≤ 63 | zeros to 154 | previous end f64 | zeros | CRC32 of all before, u32
 *   frame    CRC32 of all behind, u32 | length u32 (1 … 65,536) | payload
 *   seal     a frame with the payload: kind u8 = 2 | clicks in this segment f64
 *
 * Numbers are little endian. One process writes a segment, once, from the beginning; nothing is ever appended to a
 * segment of another process, because nothing behind a torn frame can be read.
 */
export const HEADER_BYTES = 256
export const FRAME_HEAD_BYTES = 8
export const PAYLOAD_BYTES_MAX = 65_536
export const SEGMENT_SUFFIX = '.journal'

const MAGIC = 'TERNJRNL'
export const FORMAT_VERSION = 1
const NODE_CHARS_MAX = 63
const SEAL_KIND = 2
const SEAL_BYTES = 9

export type SegmentHeader = {
  /** UUIDs, in their usual spelling. `segment` is random and the only identity that counting relies on. */
  segment: string
  folder: string
  boot: string
  /** All zeros for the first segment of a folder. */
  previous: string
  /** Where the previous segment ends, in bytes: behind that is what was refused, or written once more in this one. */
  previousEnd: number
  /** Clicks this folder had journaled before this segment. */
  baseCount: number
  createdAtUs: number
  /** A label for people. */
  node: string
}

export const NO_SEGMENT = '00000000-0000-0000-0000-000000000000'

export function encodeHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.write(MAGIC, 0, 'latin1')
  bytes.writeUInt16LE(FORMAT_VERSION, 8)
  const ids = [header.segment, header.folder, header.boot, header.previous]
  ids.forEach((id, i) => bytes.write(id.replaceAll('-', ''), 10 + 16 * i, 'hex'))
  bytes.writeDoubleLE(header.baseCount, 74)
  bytes.writeDoubleLE(header.createdAtUs, 82)
  bytes[90] = bytes.write(header.node, 91, NODE_CHARS_MAX, 'latin1')
  bytes.writeDoubleLE(header.previousEnd, 154)
  bytes.writeUInt32LE(crc32(bytes, 0, HEADER_BYTES - 4), HEADER_BYTES - 4)
  return bytes
}

/** 'newer' is a segment to leave alone until a version that knows it runs; 'damaged' is not a header of ours. */
export function decodeHeader(bytes: Buffer): SegmentHeader | 'newer' | 'damaged' {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) return 'damaged'
  if (bytes.readUInt32LE(HEADER_BYTES - 4) !== crc32(bytes, 0, HEADER_BYTES - 4)) return 'damaged'
  if (bytes.readUInt16LE(8) > FORMAT_VERSION) return 'newer'
  const [segment, folder, boot, previous] = [0, 1, 2, 3].map((i) => uuidAt(bytes, 10 + 16 * i))
  return {
    segment: segment!,
    folder: folder!,
    boot: boot!,
    previous: previous!,
    previousEnd: bytes.readDoubleLE(154),
    baseCount: bytes.readDoubleLE(74),
    createdAtUs: bytes.readDoubleLE(82),
    node: bytes.toString('latin1', 91, 91 + bytes[90]!),
  }
}

/** Completes the frame whose payload has been written behind `start`. Returns the offset behind it. */
export function closeFrame(buffer: Buffer, start: number, end: number): number {
  buffer.writeUInt32LE(end - start - FRAME_HEAD_BYTES, start + 4)
  buffer.writeUInt32LE(crc32(buffer, start + 4, end), start)
  return end
}

/**
 * The payload of the frame at `start`; 'cut' when the bytes end before the frame does, 'bad' when no frame of ours
 * is there. What follows a cut or bad frame cannot be told from here.
 */
export function readFrame(bytes: Buffer, start: number, end = bytes.length): Buffer | 'cut' | 'bad' {
  if (start + FRAME_HEAD_BYTES > end) return 'cut'
  const length = bytes.readUInt32LE(start + 4)
  if (length === 0 || length > PAYLOAD_BYTES_MAX) return 'bad'
  const frameEnd = start + FRAME_HEAD_BYTES + length
  if (frameEnd > end) return 'cut'
  if (bytes.readUInt32LE(start) !== crc32(bytes, start + 4, frameEnd)) return 'bad'
  return bytes.subarray(start + FRAME_HEAD_BYTES, frameEnd)
}

export function encodeSeal(clicks: number): Buffer {
  const bytes = Buffer.alloc(FRAME_HEAD_BYTES + SEAL_BYTES)
  bytes[FRAME_HEAD_BYTES] = SEAL_KIND
  bytes.writeDoubleLE(clicks, FRAME_HEAD_BYTES + 1)
  closeFrame(bytes, 0, bytes.length)
  return bytes
}

/** How many clicks the segment's writer put into it, when the payload is a seal. */
export function decodeSeal(payload: Buffer): number | undefined {
  return payload.length === SEAL_BYTES && payload[0] === SEAL_KIND ? payload.readDoubleLE(1) : undefined
}

function crc32(buffer: Buffer, start: number, end: number): number {
  return Bun.hash.crc32(buffer.subarray(start, end))
}

function uuidAt(bytes: Buffer, offset: number): string {
  const hex = bytes.toString('hex', offset, offset + 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
