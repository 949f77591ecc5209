import { join } from 'node:path'
import type { Db } from '../store/open-store.ts'
import type { Files } from './files.ts'
import { SEGMENT_SUFFIX } from './segment.ts'

/**
 * Takes segments out of the trash that the store has not counted to their end, as after restoring an older database;
 * how many there were. Only while nobody serves the folder.
 */
export async function takeBackSegments(
  { db, files }: { db: Db; files: Files },
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
  let taken = 0
  for (const name of await files.list(trash)) {
    // In the trash, the time stands before the name.
    const own = name.slice(name.indexOf('-') + 1)
    if (!own.endsWith(SEGMENT_SUFFIX) || finished.has(own)) continue
    await files.rename(join(trash, name), join(folder, own))
    taken++
  }
  if (taken > 0) await files.syncFolder(folder)
  return taken
}
