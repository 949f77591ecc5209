import { sql } from 'kysely'
import { isoMicroseconds } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { type ExportLine, ROWS_AT_ONCE } from './pages.ts'

/** The versions of these links, by link and version. */
export async function* versionLines(
  db: ReadOnlyDb,
  linkIds: readonly number[],
): AsyncGenerator<ExportLine[]> {
  for (let after = { link_id: 0, version: 0 }; linkIds.length > 0;) {
    const rows = await db
      .selectFrom('link_versions')
      .selectAll()
      .where('link_id', 'in', linkIds)
      .where(sql<boolean>`(link_id, version) > (${after.link_id}, ${after.version})`)
      .orderBy('link_id')
      .orderBy('version')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    yield rows.map(({ changed_at: changedAt, changes, ...row }) => ({
      type: 'link_version',
      ...row,
      changed_at: isoMicroseconds(changedAt),
      changes: JSON.parse(changes),
    }))
    after = rows.at(-1)!
  }
}
