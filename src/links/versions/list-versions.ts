import type { Caller } from '../../access/caller.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { findLink } from '../find-link.ts'
import type { LinkKey } from '../link-key.ts'
import { type FieldChanges, latestVersion, VERSIONS_MAX } from './record-version.ts'

export type LinkVersion = {
  version: number
  changedAtUs: number
  /** Null when the user is gone, and for the creation. */
  changedBy: { id: number; name: string } | null
  changes: FieldChanges
}

/** A page of a link's versions, newest first, and how many are kept. */
export async function listVersions(
  { db }: { db: CurrentDb },
  caller: Caller,
  { key, page, perPage }: { key: LinkKey; page: number; perPage: number },
): Promise<{ versions: LinkVersion[]; total: number }> {
  const link = await findLink({ db }, caller, key)
  const latest = await latestVersion(db, link.id)
  const total = Math.min(latest, VERSIONS_MAX)
  // They have no gaps.
  const to = latest - (page - 1) * perPage
  const from = Math.max(to - perPage, latest - total) + 1
  const rows = await db
    .selectFrom('link_versions')
    .leftJoin('users', 'users.id', 'link_versions.user_id')
    .select(['version', 'changed_at as changedAtUs', 'changes', 'users.id as userId', 'users.name'])
    .where('link_id', '=', link.id)
    .where('version', '>=', from)
    .where('version', '<=', to)
    .orderBy('version', 'desc')
    .execute()
  const versions = rows.map(({ userId: id, name, changes, ...row }): LinkVersion => ({
    ...row,
    changedBy: id === null || name === null ? null : { id, name },
    changes: JSON.parse(changes),
  }))
  const creation = { version: 1, changedAtUs: link.createdAtUs, changedBy: null, changes: {} }
  return { versions: from === 1 && to >= 1 ? [...versions, creation] : versions, total }
}
