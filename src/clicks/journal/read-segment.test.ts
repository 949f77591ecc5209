import { describe, expect, test } from 'bun:test'
import { aClick } from '../../../test/rigs/clicks/journal-rig.ts'
import { type Click, CLICK_BYTES_MAX, encodeClick } from './click.ts'
import { countClicks, readBatch, type SegmentBatch } from './read-segment.ts'
import { closeFrame, FRAME_HEAD_BYTES, PAYLOAD_BYTES_MAX } from './frame.ts'
import { encodeSeal } from './segment.ts'

/** Where the bytes stand in their file; all positions that come back must be counted from there. */
const OFFSET = 256

describe('whole frames', () => {
  const clicks = numbered(40)
  const { bytes } = written(clicks)

  test('come back in order, and the seal with them', () => {
    const batch = read(Buffer.concat([bytes, encodeSeal(40)]), true)
    expect(batch).toEqual({ ...NOTHING, clicks, sealedClicks: 40, position: OFFSET + bytes.length + 17 })
  })

  test('are read a few at a time, each once', () => {
    const found: Click[] = []
    for (let at = 0; at < bytes.length;) {
      const batch = readBatch({ bytes: bytes.subarray(at), offset: at, isLast: true }, 7)
      expect(batch.clicks.length).toBe(Math.min(7, 40 - found.length))
      found.push(...batch.clicks)
      at = batch.position
    }
    expect(found).toEqual(clicks)
  })

  test('that are not understood are handed over with their place, and what follows is read', () => {
    const strange = frameOf(Buffer.from([99, 1, 2, 3]))
    const batch = read(Buffer.concat([strange, bytes]), true)
    expect(batch.deadLetters).toEqual([{ offset: OFFSET, payload: Buffer.from([99, 1, 2, 3]) }])
    expect([batch.clicks, batch.damagedBytes]).toEqual([clicks, 0])
  })
})

describe('a segment cut at any byte', () => {
  const clicks = numbered(40)
  const { bytes, ends } = written(clicks)

  test('gives exactly its whole clicks, and the rest is a torn tail', () => {
    for (let length = 0; length <= bytes.length; length++) {
      const whole = ends.filter((end) => end <= length)
      const torn = length - (whole.at(-1) ?? 0)
      const expected = {
        ...NOTHING,
        clicks: clicks.slice(0, whole.length),
        tornBytes: torn,
        position: OFFSET + length,
      }
      expect(read(bytes.subarray(0, length), true)).toEqual(expected)
    }
  })

  test('gives exactly its whole clicks while it is live, and waits for the rest', () => {
    for (let length = 0; length <= bytes.length; length++) {
      const whole = ends.filter((end) => end <= length)
      const expected = {
        ...NOTHING,
        clicks: clicks.slice(0, whole.length),
        position: OFFSET + (whole.at(-1) ?? 0),
      }
      expect(read(bytes.subarray(0, length), false)).toEqual(expected)
    }
  })
})

describe('a segment with any one bit flipped', () => {
  const clicks = numbered(12)
  const { bytes, ends } = written(clicks)

  test.each([
    ['closed', true],
    ['live', false],
  ])('gives every other click and no wrong one: %s', (_what, isLast) => {
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const touched = ends.findIndex((end) => end > bit >> 3)
      const others = clicks.toSpliced(touched, 1)
      const { clicks: found, position } = read(flipped(bytes, bit), isLast)
      // Of a live segment the last click may be the one that is waited for, and what a damaged length seems to hold.
      if (isLast || position === OFFSET + bytes.length) expect(found).toEqual(others)
      else expect(found).toEqual(others.slice(0, found.length))
    }
  })
})

describe('counting without decoding agrees with reading', () => {
  const { bytes } = written(numbered(12))
  const sealed = Buffer.concat([bytes, frameOf(Buffer.from([99, 1])), encodeSeal(13)])
  const countByReading = (segment: Buffer) => {
    const { clicks, deadLetters, sealedClicks } = read(segment, true)
    return sealedClicks ?? clicks.length + deadLetters.length
  }

  test('in a segment cut at any byte', () => {
    for (let length = 0; length <= sealed.length; length++)
      expect(countClicks(sealed.subarray(0, length))).toBe(countByReading(sealed.subarray(0, length)))
    expect([countClicks(bytes), countClicks(sealed)]).toEqual([12, 13])
  })

  test('in a segment with any one bit flipped', () => {
    for (let bit = 0; bit < sealed.length * 8; bit++)
      expect(countClicks(flipped(sealed, bit))).toBe(countByReading(flipped(sealed, bit)))
  })
})

describe('the tail', () => {
  const clicks = numbered(3)
  const { bytes } = written(clicks)

  test.each([
    ['one zero', Buffer.alloc(1)],
    ['a page of zeros', Buffer.alloc(4096)],
    ['more zeros than any frame has bytes', Buffer.alloc(PAYLOAD_BYTES_MAX * 3)],
    ['garbage', garbage(5000)],
    ['much garbage', garbage(PAYLOAD_BYTES_MAX * 2)],
  ])('that is %s costs no click', (_what, tail) => {
    const batch = read(Buffer.concat([bytes, tail]), true)
    const position = OFFSET + bytes.length + tail.length
    expect(batch).toEqual({ ...NOTHING, clicks, tornBytes: tail.length, position })
  })

  test.each([
    ['zeros', Buffer.alloc(PAYLOAD_BYTES_MAX * 3)],
    ['garbage', garbage(PAYLOAD_BYTES_MAX * 3)],
  ])('of a live segment may be %s, and what is written behind it is read', (_what, tail) => {
    const damaged = Buffer.concat([bytes, tail])
    const before = read(damaged, false)
    const more = Buffer.concat([damaged, written(numbered(5)).bytes])
    const at = before.position - OFFSET
    const after = readBatch({ bytes: more.subarray(at), offset: before.position, isLast: true }, Infinity)
    expect([before.clicks, after.clicks]).toEqual([clicks, numbered(5)])
    expect(before.damagedBytes + after.damagedBytes).toBe(tail.length)
    expect(after.position).toBe(OFFSET + more.length)
  })
})

describe('damage read in pieces', () => {
  test('costs the same clicks and bytes as damage read at once', () => {
    const random = randomNumbers(20_260_420)
    const { bytes } = written(numbered(3000))
    for (let round = 0; round < 40; round++) {
      const damaged = Buffer.from(bytes)
      const from = random(bytes.length)
      damaged.fill(random(2) === 0 ? 0 : 0xee, from, Math.min(bytes.length, from + random(100_000)))
      const pieceBytes = FRAME_HEAD_BYTES + PAYLOAD_BYTES_MAX + random(50_000)
      expect(readInPieces(damaged, pieceBytes)).toEqual(read(damaged, true))
    }
  })
})

const NOTHING: SegmentBatch = {
  clicks: [],
  deadLetters: [],
  position: OFFSET,
  damagedBytes: 0,
  tornBytes: 0,
  sealedClicks: undefined,
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => aClick(i + 1, { country: i % 2 ? '' : 'NZ' }))

function written(clicks: Click[]): { bytes: Buffer; ends: number[] } {
  const bytes = Buffer.alloc(clicks.length * (FRAME_HEAD_BYTES + CLICK_BYTES_MAX))
  let end = 0
  const ends = clicks.map(
    (click) => (end = closeFrame(bytes, end, encodeClick(bytes, end + FRAME_HEAD_BYTES, click))),
  )
  return { bytes: bytes.subarray(0, end), ends }
}

const read = (bytes: Buffer, isLast: boolean) => readBatch({ bytes, offset: OFFSET, isLast }, Infinity)

/** As the reader does it: each piece begins where the batch before ended. */
function readInPieces(bytes: Buffer, pieceBytes: number): SegmentBatch {
  const sum: SegmentBatch = { ...NOTHING, clicks: [] }
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.subarray(at, at + pieceBytes)
    const isLast = at + piece.length === bytes.length
    const batch = readBatch({ bytes: piece, offset: OFFSET + at, isLast }, 500)
    if (batch.position === OFFSET + at) throw new Error(`No progress at ${at}.`)
    sum.clicks.push(...batch.clicks)
    sum.damagedBytes += batch.damagedBytes
    sum.tornBytes += batch.tornBytes
    sum.position = batch.position
    at = batch.position - OFFSET
  }
  return sum
}

function frameOf(payload: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(FRAME_HEAD_BYTES), payload])
  closeFrame(bytes, 0, bytes.length)
  return bytes
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}

function garbage(size: number): Buffer {
  const random = randomNumbers(size)
  return Buffer.from(Array.from({ length: size }, () => random(256)))
}

/** The same numbers for the same seed (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
