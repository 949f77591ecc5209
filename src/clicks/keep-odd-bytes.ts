import { join } from 'node:path'
import type { Log } from '../log.ts'
import type { Files } from './files.ts'
import type { SegmentBatch } from './read-segment.ts'
import { SEGMENT_SUFFIX } from './segment.ts'

type KeepDeps = { files: Files; log: Log }

/** Where the batch was read: the journal's folder, the segment's id and its file. */
export type BatchSource = { folder: string; segment: string; path: string }

/**
 * Keeps what could not be counted for people to look at, and says so. To be called before the position moves: the files
 * have names of their own, so trying again writes the same ones.
 */
export async function keepOddBytes(deps: KeepDeps, source: BatchSource, batch: SegmentBatch): Promise<void> {
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
