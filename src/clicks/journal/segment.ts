import { closeFrame, crc32, FRAME_HEAD_BYTES } from './frame.ts'

/**
 * A journal segment: a header of 256 bytes, then frames, and a seal as the last frame after a clean close.
 *
 *   header   magic 8 | format u16 | segment 16 | folder 16 | boot 16 | previous 16 | base count f64 | created f64 |
 *            node length u8, node ≤ 63 | zeros to 154 | previous end f64 | zeros | CRC32 of all before, u32
 *   frame    frame.ts
 *   seal     a frame with the payload: kind u8 = 2 | clicks in this segment f64
 *
 * Numbers are little endian. One process writes a segment, once, from the beginning; nothing is ever appended to a
 * segment of another process, because nothing behind a torn frame can be read.
 */
export const HEADER_BYTES = 256
export const SEGMENT_SUFFIX = '.journal'

const MAGIC = 'TERNJRNL'
/**
 * What a segment may hold: 1 only plain clicks, 2 extended ones too, 3 those by an alias as well, 4 those of a city (click.ts). Each segment says
 * which. So a version that knows format 1 only goes on counting plain traffic, and leaves the others alone until it is updated.
 */
export type SegmentFormat = 1 | 2 | 3 | 4
export const FORMAT_MAX = 4
const NODE_CHARS_MAX = 63
const SEAL_KIND = 2
const SEAL_BYTES = 9

export type SegmentHeader = {
  format: SegmentFormat
  /** UUIDs. `segment` is random, and the only identity that counting relies on. */
  segment: string
  folder: string
  boot: string
  /** All zeros for the first segment of a folder. */
  previous: string
  /** Where the previous segment ends, in bytes. What follows there was refused, or written again to this one. */
  previousEnd: number
  /** Clicks that this folder had journaled before this segment. */
  baseCount: number
  createdAtUs: number
  /** The name of the machine, for humans only. */
  node: string
}

export const NO_SEGMENT = '00000000-0000-0000-0000-000000000000'

export function encodeHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.write(MAGIC, 0, 'latin1')
  bytes.writeUInt16LE(header.format, 8)
  const ids = [header.segment, header.folder, header.boot, header.previous]
  ids.forEach((id, i) => bytes.write(id.replaceAll('-', ''), 10 + 16 * i, 'hex'))
  bytes.writeDoubleLE(header.baseCount, 74)
  bytes.writeDoubleLE(header.createdAtUs, 82)
  bytes[90] = bytes.write(header.node, 91, NODE_CHARS_MAX, 'latin1')
  bytes.writeDoubleLE(header.previousEnd, 154)
  bytes.writeUInt32LE(crc32(bytes, 0, HEADER_BYTES - 4), HEADER_BYTES - 4)
  return bytes
}

/** 'newer': leave the segment alone until a version that knows its format runs. 'damaged': not a valid header. */
export function decodeHeader(bytes: Buffer): SegmentHeader | 'newer' | 'damaged' {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) return 'damaged'
  if (bytes.readUInt32LE(HEADER_BYTES - 4) !== crc32(bytes, 0, HEADER_BYTES - 4)) return 'damaged'
  const format = bytes.readUInt16LE(8)
  if (format > FORMAT_MAX) return 'newer'
  const [segment, folder, boot, previous] = [0, 1, 2, 3].map((i) => uuidAt(bytes, 10 + 16 * i))
  return {
    format: format as SegmentFormat,
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

export function encodeSeal(clicks: number): Buffer {
  const bytes = Buffer.alloc(FRAME_HEAD_BYTES + SEAL_BYTES)
  bytes[FRAME_HEAD_BYTES] = SEAL_KIND
  bytes.writeDoubleLE(clicks, FRAME_HEAD_BYTES + 1)
  closeFrame(bytes, 0, bytes.length)
  return bytes
}

/** The number of clicks in the segment if the payload is a seal. */
export function decodeSeal(payload: Buffer): number | undefined {
  return payload.length === SEAL_BYTES && payload[0] === SEAL_KIND ? payload.readDoubleLE(1) : undefined
}

function uuidAt(bytes: Buffer, offset: number): string {
  const hex = bytes.toString('hex', offset, offset + 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
