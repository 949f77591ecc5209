import { join } from 'node:path'
import type { Log } from '../../runtime/log.ts'
import type { Files } from '../journal/files.ts'
import type { SegmentBatch } from '../journal/read-segment.ts'
import { SEGMENT_SUFFIX } from '../journal/segment.ts'

type KeepDeps = { files: Files; log: Log }

export type BatchSource = { folder: string; segment: string; path: string }

/**
 * Saves records and segments that could not be counted, for a human to look at, and logs them. Call it before the position
 * moves: the file names are fixed, so a retry writes the same files.
 */
export async function saveUnreadable(
  deps: KeepDeps,
  source: BatchSource,
  batch: SegmentBatch,
): Promise<void> {
  const { files, log } = deps
  const { folder, segment, path } = source
  if (batch.deadLetters.length > 0) {
    await files.makeFolder(join(folder, 'dead-letters'))
    for (const { offset, payload } of batch.deadLetters) {
      await files.replace(join(folder, 'dead-letters', `${segment}-${offset}`), payload)
    }
    log.error('The journal holds records that this version does not understand.', {
      segment,
      records: batch.deadLetters.length,
    })
  }
  if (batch.damagedBytes > 0) {
    await files.makeFolder(join(folder, 'quarantine'))
    await files.copy(path, join(folder, 'quarantine', segment + SEGMENT_SUFFIX))
    log.error('A journal segment is damaged; a copy is in quarantine.', {
      segment,
      bytes: batch.damagedBytes,
    })
  }
  if (batch.tornBytes > 0) {
    log.info('A journal segment ended in the middle of a record.', { segment, bytes: batch.tornBytes })
  }
}
