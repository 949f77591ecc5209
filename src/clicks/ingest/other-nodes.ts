import type { CurrentDb } from '../../store/handles.ts'
import type { Files } from '../journal/files.ts'
import { SEGMENT_SUFFIX } from '../journal/segment.ts'
import { whenMissing } from '../../store/files/when-missing.ts'

/** Names of nodes with a segment that is not counted to its end and whose file is not in this folder. */
export async function otherNodes(
  { db, files }: { db: CurrentDb; files: Files },
  folder: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('journal_segments')
    .select(['segment', 'node'])
    .where('finished_at', 'is', null)
    .orderBy('node')
    .execute()
  const there = new Set(await files.list(folder).catch(whenMissing([])))
  const elsewhere = rows.filter(({ segment }) => !there.has(segment + SEGMENT_SUFFIX))
  return [...new Set(elsewhere.map(({ node }) => node))]
}
