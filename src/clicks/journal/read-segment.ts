import { type Click, formatOf } from './click.ts'
import { decodeClick } from './decode-click.ts'
import { FRAME_HEAD_BYTES, readFrame } from './frame.ts'
import { decodeSeal, type SegmentFormat } from './segment.ts'

/** A piece of a segment's file. One that is not the last holds at least the largest frame, or all there is so far. */
export type SegmentPiece = {
  bytes: Buffer
  /** Where the bytes begin in the file. */
  offset: number
  /** The segment is closed and the bytes reach its end. */
  isLast: boolean
}

export type SegmentBatch = {
  clicks: Click[]
  /** Whole frames that this version does not understand. */
  deadLetters: { offset: number; payload: Buffer }[]
  /** Where to continue in the file. */
  position: number
  /** Bytes before a readable frame that are no frame: damage. */
  damagedBytes: number
  /** Bytes at the very end that are no whole frame: the process died while writing them. */
  tornBytes: number
  /** Clicks in the whole segment according to its seal; undefined if the seal was not read. */
  sealedClicks: number | undefined
}

/**
 * Reads up to `clicksMax` clicks from the piece. A frame that the piece cuts off is left for the next one. Damage is
 * skipped up to the next frame with a valid checksum, and counted, so one bad sector costs only its own clicks.
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
      const next = skipDamage(piece, at, payload)
      if (next === at) break
      if (next === bytes.length && piece.isLast) batch.tornBytes += next - at
      else batch.damagedBytes += next - at
      at = next
      continue
    }
    addFrame(batch, payload, offset + at)
    at += FRAME_HEAD_BYTES + payload.length
  }
  batch.position = offset + at
  return batch
}

/**
 * How many clicks were written to a segment, given all bytes behind its header: what the seal says, which includes damaged
 * clicks, or else the number of records. Nothing is decoded, because the start waits for this.
 */
export function countClicks(bytes: Buffer): number {
  const piece = { bytes, offset: 0, isLast: true }
  let records = 0
  for (let at = 0; at < bytes.length;) {
    const payload = readFrame(bytes, at)
    if (typeof payload === 'string') {
      at = skipDamage(piece, at, payload)
      continue
    }
    const sealed = decodeSeal(payload)
    if (sealed !== undefined) return sealed
    records++
    at += FRAME_HEAD_BYTES + payload.length
  }
  return records
}

/** The lowest format that can hold these frames, all bytes behind a header. */
export function formatOfFrames(bytes: Buffer): SegmentFormat {
  const clicks = frameStarts(bytes).starts.map((start) => decodeClick(readFrame(bytes, start) as Buffer))
  const formats = clicks.map((click) => (click === undefined ? 1 : formatOf(click)))
  return formats.reduce((highest, format) => (format > highest ? format : highest), 1)
}

/** Where each whole frame begins, and where the last one ends. */
export function frameStarts(bytes: Buffer): { starts: number[]; end: number } {
  const piece = { bytes, offset: 0, isLast: true }
  const starts: number[] = []
  let end = 0
  for (let at = 0; at < bytes.length;) {
    const payload = readFrame(bytes, at)
    if (typeof payload === 'string') {
      at = skipDamage(piece, at, payload)
      continue
    }
    starts.push(at)
    end = at += FRAME_HEAD_BYTES + payload.length
  }
  return { starts, end }
}

function addFrame(batch: SegmentBatch, payload: Buffer, offset: number): void {
  const click = decodeClick(payload)
  if (click !== undefined) return void batch.clicks.push(click)
  const seal = decodeSeal(payload)
  if (seal !== undefined) batch.sealedClicks = seal
  else batch.deadLetters.push({ offset, payload })
}

/** Where to continue after a place without a whole frame; `at` itself if more bytes are needed first. */
function skipDamage({ bytes, isLast }: SegmentPiece, at: number, why: 'cut' | 'bad'): number {
  if (why === 'cut' && !isLast) return at
  let cutAt = bytes.length
  for (let next = at + 1; next < bytes.length; next++) {
    const frame = readFrame(bytes, next)
    if (typeof frame !== 'string') return next
    if (frame === 'cut') cutAt = Math.min(cutAt, next)
  }
  // A good frame may begin there and end in the next piece.
  return isLast ? bytes.length : cutAt
}
