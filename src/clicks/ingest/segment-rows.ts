import type { ClicksDb, CurrentDb } from '../../store/handles.ts'
import { HEADER_BYTES, type SegmentHeader } from '../journal/segment.ts'

/** How far a segment has been counted. */
export type SegmentState = { position: number; clicks: number; deadLetters: number; isFinished: boolean }

/** Adds the segment to the store if it is new, and returns how far it has been counted. */
export async function registerSegment(db: ClicksDb, header: SegmentHeader): Promise<SegmentState> {
  const { segment, node, previous, baseCount, folder } = header
  await db
    .insertInto('journal_segments')
    .values({
      segment,
      node,
      previous_segment: previous,
      base_count: baseCount,
      position: HEADER_BYTES,
      clicks: 0,
      dead_letters: 0,
      damaged_bytes: 0,
      finished_at: null,
      folder,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return countedOf(db, segment)
}

async function countedOf(db: CurrentDb, segment: string): Promise<SegmentState> {
  const row = await db
    .selectFrom('journal_segments')
    .select(['position', 'clicks', 'dead_letters', 'finished_at'])
    .where('segment', '=', segment)
    .executeTakeFirstOrThrow()
  const { position, clicks, dead_letters: deadLetters, finished_at: finishedAt } = row
  return { position, clicks, deadLetters, isFinished: finishedAt !== null }
}
