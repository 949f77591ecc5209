import { join } from 'node:path'
import type { CurrentDb } from '../../store/handles.ts'
import type { Files } from '../journal/files.ts'
import { SEGMENT_SUFFIX } from '../journal/segment.ts'

/**
 * Moves segments that are not counted to their end out of the trash, as needed after restoring an older database, and returns
 * how many. Only while no process serves the folder.
 */
export async function restoreSegments(
  { db, files }: { db: CurrentDb; files: Files },
  folder: string,
): Promise<number> {
  const trash = join(folder, 'trash')
  await files.makeFolder(trash)
  const rows = await db
    .selectFrom('journal_segments')
    .select('segment')
    .where('finished_at', 'is not', null)
    .execute()
  const finished = new Set(rows.map(({ segment }) => segment + SEGMENT_SUFFIX))
  let count = 0
  for (const name of await files.list(trash)) {
    // File names in the trash begin with the time.
    const own = name.slice(name.indexOf('-') + 1)
    if (!own.endsWith(SEGMENT_SUFFIX) || finished.has(own)) continue
    await files.rename(join(trash, name), join(folder, own))
    count++
  }
  if (count > 0) await files.syncFolder(folder)
  return count
}
