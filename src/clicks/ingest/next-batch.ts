import type { Files } from '../journal/files.ts'
import { readBatch, type SegmentBatch } from '../journal/read-segment.ts'
import type { SegmentHeader } from '../journal/segment.ts'
import { whenMissing } from '../../store/files/when-missing.ts'

const PIECE_BYTES = 2 * 1024 * 1024

export type FoundSegment = {
  header: SegmentHeader
  path: string
  /** Where its acknowledged bytes end; undefined for the end of the file. */
  end: number | undefined
  closed: boolean
  /** The next segment, which says where this one ends. What follows there was refused, or written again to the next. */
  next: SegmentHeader | undefined
}

export type NextBatch = { batch: SegmentBatch; from: number; isEnd: boolean }

/** The file is shorter than what was counted or announced, so it is not the file that was written. */
export type Shorter = { shorterBytes: number }

/** The next batch of a segment; undefined if there is nothing to count now. */
export async function readNextBatch(
  { files }: { files: Files },
  segment: FoundSegment & { position: number },
  clicksMax: number,
): Promise<NextBatch | Shorter | undefined> {
  // Read once, because the journal may announce more during the awaits.
  const { path, closed, position: from, end: announced, next } = segment
  const size = await files.sizeOf(path).catch(whenMissing(0))
  if (Math.max(from, announced ?? 0) > size) return { shorterBytes: size }
  // Not before `from`: another reader may have counted beyond what was announced here.
  const end = Math.max(from, announced ?? Math.min(size, next?.previousEnd ?? Infinity))
  if (from === end && !closed) return undefined
  const bytes = await files.read(path, from, Math.min(PIECE_BYTES, end - from)).catch(whenMissing(undefined))
  if (bytes === undefined) return { shorterBytes: 0 }
  const isLast = closed && from + bytes.length === end
  const batch = readBatch({ bytes, offset: from, isLast }, clicksMax)
  const isEnd = closed && batch.position === end
  if (batch.position === from && !isEnd) return undefined
  return { batch, from, isEnd }
}
