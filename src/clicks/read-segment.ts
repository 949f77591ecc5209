import { type Click, decodeClick } from './click.ts'
import { decodeSeal, FRAME_HEAD_BYTES, readFrame } from './segment.ts'

/**
 * A piece of a segment's file, and whether the file ends with it for good. One that is not the last holds the largest
 * frame, or all that is there.
 */
export type SegmentPiece = {
  bytes: Buffer
  /** Where in the file the bytes begin. */
  offset: number
  /** True when nothing will follow the bytes: the segment is closed and they reach its end. */
  isLast: boolean
}

export type SegmentBatch = {
  clicks: Click[]
  /** Whole frames that are not understood. */
  deadLetters: { offset: number; payload: Buffer }[]
  /** Where in the file to go on. */
  position: number
  /** Bytes before a readable frame that are not one: damage. */
  damagedBytes: number
  /** Bytes at the very end that are no whole frame: the process died while it wrote them. */
  tornBytes: number
  /** What the seal says, when it was read: clicks in the whole segment. */
  sealedClicks: number | undefined
}

/**
 * Reads up to `clicksMax` clicks from the piece. A frame that the piece cuts off is left for the next one. Damage is
 * stepped over to the next frame whose checksum holds, and counted, so that one bad sector costs its own clicks only.
 */
export function readBatch(piece: SegmentPiece, clicksMax: number): SegmentBatch {
  const { bytes, offset } = piece
  const batch: SegmentBatch = {
    clicks: [],
    deadLetters: [],
    position: offset,
    damagedBytes: 0,
    tornBytes: 0,
    sealedClicks: undefined,
  }
  let at = 0
  while (at < bytes.length && batch.clicks.length < clicksMax) {
    const payload = readFrame(bytes, at)
    if (typeof payload === 'string') {
      const next = stepOver(piece, at, payload)
      if (next === at) break
      if (next === bytes.length && piece.isLast) batch.tornBytes += next - at
      else batch.damagedBytes += next - at
      at = next
      continue
    }
    takeFrame(batch, payload, offset + at)
    at += FRAME_HEAD_BYTES + payload.length
  }
  batch.position = offset + at
  return batch
}

/**
 * How many clicks were put into a segment of which these are all bytes behind the header: what its seal says, which knows
 * of clicks that damage has taken, or else the records that are there. Nothing is decoded: a start waits for this.
 */
export function countClicks(bytes: Buffer): number {
  const piece = { bytes, offset: 0, isLast: true }
  let records = 0
  for (let at = 0; at < bytes.length;) {
    const payload = readFrame(bytes, at)
    if (typeof payload === 'string') {
      at = stepOver(piece, at, payload)
      continue
    }
    const sealed = decodeSeal(payload)
    if (sealed !== undefined) return sealed
    records++
    at += FRAME_HEAD_BYTES + payload.length
  }
  return records
}

/** Where the whole frames begin, and where the last of them ends. */
export function frameStarts(bytes: Buffer): { starts: number[]; end: number } {
  const piece = { bytes, offset: 0, isLast: true }
  const starts: number[] = []
  let end = 0
  for (let at = 0; at < bytes.length;) {
    const payload = readFrame(bytes, at)
    if (typeof payload === 'string') {
      at = stepOver(piece, at, payload)
      continue
    }
    starts.push(at)
    end = at += FRAME_HEAD_BYTES + payload.length
  }
  return { starts, end }
}

function takeFrame(batch: SegmentBatch, payload: Buffer, offset: number): void {
  const click = decodeClick(payload)
  if (click !== undefined) return void batch.clicks.push(click)
  const seal = decodeSeal(payload)
  if (seal !== undefined) batch.sealedClicks = seal
  else batch.deadLetters.push({ offset, payload })
}

/** Where to go on from a place that holds no whole frame; `at` itself when more bytes have to come first. */
function stepOver({ bytes, isLast }: SegmentPiece, at: number, why: 'cut' | 'bad'): number {
  if (why === 'cut' && !isLast) return at
  let cutAt = bytes.length
  for (let next = at + 1; next < bytes.length; next++) {
    const found = readFrame(bytes, next)
    if (typeof found !== 'string') return next
    if (found === 'cut') cutAt = Math.min(cutAt, next)
  }
  // A good frame may begin there and end in the next piece.
  return isLast ? bytes.length : cutAt
}
