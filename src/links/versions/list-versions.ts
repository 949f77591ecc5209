import type { Caller } from '../../access/caller.ts'
import type { FieldChanges } from '../../audit/changes-text.ts'
import type { CurrentDb } from '../../store/handles.ts'
import type { Page } from '../../store/page-of-rows.ts'
import { findLink } from '../find-link.ts'
import type { Link } from '../link.ts'
import type { LinkKey } from '../link-key.ts'
import { latestVersion, VERSIONS_MAX } from './record-version.ts'

export type LinkVersion = {
  version: number
  changedAtUs: number
  /** Null when the user is gone. */
  changedBy: { id: number; name: string } | null
  /** The API key that it was changed with; null if it was none, or one that is gone. */
  apiKey: { id: number; name: string } | null
  changes: FieldChanges
}

/** A page of a link's versions, newest first, and how many are kept. */
export async function listVersions(
  { db }: { db: CurrentDb },
  caller: Caller,
  { key, page, perPage }: Page & { key: LinkKey },
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
    .leftJoin('api_keys', 'api_keys.id', 'link_versions.api_key_id')
    .select(['version', 'changed_at as changedAtUs', 'changes', 'users.id as userId', 'users.name'])
    .select(['api_keys.id as keyId', 'api_keys.name as keyName'])
    .where('link_id', '=', link.id)
    .where('version', '>=', from)
    .where('version', '<=', to)
    .orderBy('version', 'desc')
    .execute()
  const versions = rows.map(({ version, changedAtUs, changes, ...by }): LinkVersion => ({
    version,
    changedAtUs,
    changedBy: named(by.userId, by.name),
    apiKey: named(by.keyId, by.keyName),
    changes: JSON.parse(changes),
  }))
  if (from === 1 && to >= 1) versions.push(await creationOf(db, link))
  return { versions, total }
}

const named = (id: number | null, name: string | null) => (id === null || name === null ? null : { id, name })

async function creationOf(db: CurrentDb, link: Link): Promise<LinkVersion> {
  const by = await db
    .selectFrom('links')
    .leftJoin('users', 'users.id', 'links.created_by')
    .leftJoin('api_keys', 'api_keys.id', 'links.created_key_id')
    .select(['users.id as userId', 'users.name', 'api_keys.id as keyId', 'api_keys.name as keyName'])
    .where('links.id', '=', link.id)
    .executeTakeFirst()
  return {
    version: 1,
    changedAtUs: link.createdAtUs,
    changedBy: named(by?.userId ?? null, by?.name ?? null),
    apiKey: named(by?.keyId ?? null, by?.keyName ?? null),
    changes: {},
  }
}
