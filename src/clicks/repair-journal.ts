import { basename, join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { findDamagedHeads, type RebuiltSegment, type RebuildDeps } from './rebuild-headers.ts'
import { encodeHeader, HEADER_BYTES } from './segment.ts'

type RepairDeps = RebuildDeps & { clock: Clock; log: Log }

/**
 * Gives segments whose header is damaged another one, so that their clicks are counted like any other's, and puts those
 * away that end before their header does. To be called at the start, before anybody reads or writes the folder. Exactly
 * once it stays: the header has the id by which the store knows how far the segment has been counted.
 */
export async function repairJournal(deps: RepairDeps, folder: string): Promise<void> {
  await deps.files.makeFolder(folder)
  const { rebuilt, empty } = await findDamagedHeads(deps, folder)
  for (const segment of rebuilt) await putHeader(deps, folder, segment)
  for (const path of empty) await putAway(deps, folder, path)
  if (rebuilt.length + empty.length > 0) await deps.files.syncFolder(folder)
}

/** Killed at any moment, it is done again: the copy is whole before the segment changes, all at once. */
async function putHeader({ files, log }: RepairDeps, folder: string, segment: RebuiltSegment): Promise<void> {
  const { path, header, clicks } = segment
  const bytes = await files.read(path, 0, await files.sizeOf(path))
  const quarantine = join(folder, 'quarantine')
  await files.makeFolder(quarantine)
  await files.replace(join(quarantine, basename(path)), bytes)
  await files.syncFolder(quarantine)
  await files.replace(path, Buffer.concat([encodeHeader(header), bytes.subarray(HEADER_BYTES)]))
  log.error('The header of a journal segment was damaged and has been rebuilt; a copy is in quarantine.', {
    segment: header.segment,
    clicks,
  })
}

/** Into the trash, from which it goes a day later. What it held, if anything, is told with the segments that are gone. */
async function putAway({ files, clock, log }: RepairDeps, folder: string, path: string): Promise<void> {
  const trash = join(folder, 'trash')
  await files.makeFolder(trash)
  await files.rename(path, join(trash, `${clock.nowUs()}-${basename(path)}`))
  log.warn(
    'A journal segment is empty: its process was killed while creating it, or the disk lost its contents.',
    {
      path,
    },
  )
}
