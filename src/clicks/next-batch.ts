import type { Files } from './files.ts'
import { readBatch, type SegmentBatch } from './read-segment.ts'
import type { SegmentHeader } from './segment.ts'

const PIECE_BYTES = 2 * 1024 * 1024

/** What is known of a segment's file. */
export type FoundSegment = {
  header: SegmentHeader
  path: string
  /** Where its acknowledged bytes end; undefined: at the end of the file. */
  end: number | undefined
  closed: boolean
  /** The segment after it says where this one ends; behind that is what was refused, or written there once more. */
  next: SegmentHeader | undefined
}

export type NextBatch = { batch: SegmentBatch; from: number; isEnd: boolean }

/** A file that is shorter than what is known of it is no longer the one that was written. */
export type Shorter = { shorterBytes: number }

/** What is to be counted next of a segment; undefined when there is nothing now. */
export async function readNextBatch(
  { files }: { files: Files },
  segment: FoundSegment & { position: number },
  clicksMax: number,
): Promise<NextBatch | Shorter | undefined> {
  // As they are now: the journal may announce more while this reads.
  const { path, closed, position: from, end: announced, next } = segment
  const size = await files.sizeOf(path).catch(whenMissing(0))
  if (Math.max(from, announced ?? 0) > size) return { shorterBytes: size }
  // Not before `from`: another reader may be further than what this one was told of.
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

/** Another reader may remove the file at any moment. */
const whenMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return value
  }
