import { describe, expect, test } from 'bun:test'
import { closeFrame, FRAME_HEAD_BYTES, PAYLOAD_BYTES_MAX, readFrame } from './frame.ts'
import {
  decodeHeader,
  decodeSeal,
  encodeHeader,
  encodeSeal,
  FORMAT_MAX,
  HEADER_BYTES,
  type SegmentHeader,
} from './segment.ts'

describe('the header', () => {
  test('comes back as it was written', () => {
    expect(encodeHeader(header)).toHaveLength(HEADER_BYTES)
    expect(decodeHeader(encodeHeader(header))).toEqual(header)
  })

  test("cuts a node's name at 63 characters", () => {
    const long = decodeHeader(encodeHeader({ ...header, node: 'n'.repeat(100) }))
    expect(long).toEqual({ ...header, node: 'n'.repeat(63) })
  })

  test('is damaged when any bit of it is another', () => {
    const bytes = encodeHeader(header)
    for (let bit = 0; bit < HEADER_BYTES * 8; bit++) {
      flip(bytes, bit)
      expect(decodeHeader(bytes)).toBe('damaged')
      flip(bytes, bit)
    }
  })

  test('is damaged when it is cut anywhere', () => {
    const bytes = encodeHeader(header)
    for (let length = 0; length < HEADER_BYTES; length++)
      expect(decodeHeader(bytes.subarray(0, length))).toBe('damaged')
  })

  test('of a newer format is known for that', () => {
    const bytes = encodeHeader(header)
    bytes.writeUInt16LE(FORMAT_MAX + 1, 8)
    bytes.writeUInt32LE(Bun.hash.crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4)
    expect(decodeHeader(bytes)).toBe('newer')
  })
})

describe('a frame', () => {
  test.each([[1], [100], [PAYLOAD_BYTES_MAX]])('of %d bytes comes back as it was written', (size) => {
    const frame = frameOf(Buffer.alloc(size, 0xa5))
    expect(readFrame(frame, 0)).toEqual(Buffer.alloc(size, 0xa5))
  })

  test('is found at its offset, whatever stands around it', () => {
    const bytes = Buffer.concat([Buffer.alloc(5, 9), frameOf(Buffer.from('click')), Buffer.alloc(5, 9)])
    expect(readFrame(bytes, 5)).toEqual(Buffer.from('click'))
  })

  test('is cut at every length but its own', () => {
    const frame = frameOf(Buffer.from('a click'))
    for (let length = 0; length < frame.length; length++)
      expect(readFrame(frame.subarray(0, length), 0)).toBe('cut')
  })

  test.each([
    ['empty', frameOf(Buffer.alloc(0))],
    ['too long', frameOf(Buffer.alloc(PAYLOAD_BYTES_MAX + 1))],
    ['zeros', Buffer.alloc(64)],
  ])('is bad when it is %s', (_what, bytes) => {
    expect(readFrame(bytes, 0)).toBe('bad')
  })

  test('is never read when one bit of it is another', () => {
    const frame = frameOf(Buffer.from('a click'))
    for (let bit = 0; bit < frame.length * 8; bit++) {
      flip(frame, bit)
      expect(['bad', 'cut']).toContain(readFrame(frame, 0) as string)
      flip(frame, bit)
    }
  })
})

describe('the seal', () => {
  test('says how many clicks the segment has', () => {
    expect(decodeSeal(readFrame(encodeSeal(1234), 0) as Buffer)).toBe(1234)
  })

  test('is nothing else', () => {
    const payload = readFrame(encodeSeal(1), 0) as Buffer
    expect(decodeSeal(payload.subarray(1))).toBeUndefined()
    expect(decodeSeal(Buffer.concat([payload, payload]))).toBeUndefined()
    expect(decodeSeal(Buffer.alloc(payload.length, 1))).toBeUndefined()
  })
})

function frameOf(payload: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(FRAME_HEAD_BYTES), payload])
  closeFrame(bytes, 0, bytes.length)
  return bytes
}

function flip(bytes: Buffer, bit: number): void {
  bytes[bit >> 3]! ^= 1 << (bit & 7)
}

const header: SegmentHeader = {
  format: 1,
  segment: '0193b1c0-0000-7000-8000-000000000001',
  folder: '0193b1c0-0000-7000-8000-000000000002',
  boot: '0193b1c0-0000-7000-8000-000000000003',
  previous: '0193b1c0-0000-7000-8000-000000000004',
  previousEnd: 1_000_000_001,
  baseCount: Number.MAX_SAFE_INTEGER,
  createdAtUs: 1_776_686_400_000_001,
  node: 'tern-1',
}
