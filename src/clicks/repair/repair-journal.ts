import { basename, join } from 'node:path'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { findDamagedHeads, type RebuiltSegment, type RebuildDeps } from './rebuild-headers.ts'
import { encodeHeader, HEADER_BYTES } from '../journal/segment.ts'

type RepairDeps = RebuildDeps & { clock: Clock; log: Log }

/**
 * Rebuilds damaged headers, so the clicks of those segments are counted, and moves segments shorter than a header to the
 * trash. Call it at the start, before anything reads or writes the folder. Nothing counts twice: the rebuilt header has the
 * id under which the store keeps the position.
 */
export async function repairJournal(deps: RepairDeps, folder: string): Promise<void> {
  await deps.files.makeFolder(folder)
  const { rebuilt, empty } = await findDamagedHeads(deps, folder)
  for (const segment of rebuilt) await putHeader(deps, folder, segment)
  for (const path of empty) await putAway(deps, folder, path)
  if (rebuilt.length + empty.length > 0) await deps.files.syncFolder(folder)
}

/** Safe to repeat after a kill: the copy is complete before the segment is replaced atomically. */
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

/** Moves it to the trash. Clicks that it may have held are reported with the missing segments. */
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
