import type { Db } from '../store/open-store.ts'
import type { Files } from './files.ts'
import { SEGMENT_SUFFIX } from './segment.ts'

/**
 * The names of nodes that may have journaled clicks which nobody who reads this folder alone will count: they have a
 * segment that is not counted to its end, and its file is not in the folder.
 */
export async function nodesElsewhere(
  { db, files }: { db: Db; files: Files },
  folder: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('journal_segments')
    .select(['segment', 'node'])
    .where('finished_at', 'is', null)
    .orderBy('node')
    .execute()
  const there = new Set(await files.list(folder).catch(() => []))
  const elsewhere = rows.filter(({ segment }) => !there.has(segment + SEGMENT_SUFFIX))
  return [...new Set(elsewhere.map(({ node }) => node))]
}
