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
  /** The API key that it was changed with; null if it was none, or the audit log does not have the creation any more. */
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
  if (from === 1 && to >= 1) versions.push(await creationOf(db, caller, link))
  return { versions, total }
}

const named = (id: number | null, name: string | null) => (id === null || name === null ? null : { id, name })

async function creationOf(db: CurrentDb, { workspaceId }: Caller, link: Link): Promise<LinkVersion> {
  const by = await db
    .selectFrom('links')
    .innerJoin('users', 'users.id', 'links.created_by')
    .select(['users.id', 'users.name'])
    .where('links.id', '=', link.id)
    .executeTakeFirst()
  const apiKey = await db
    .selectFrom('audit_log')
    .innerJoin('api_keys', 'api_keys.id', 'audit_log.api_key_id')
    .select(['api_keys.id', 'api_keys.name'])
    .where('audit_log.workspace_id', '=', workspaceId)
    .where('happened_at', '=', link.createdAtUs)
    .where('action', '=', 'link.created')
    // Links that were created together have one entry, which names none of them.
    .where((eb) => eb.or([eb('target_id', '=', link.id), eb('target_id', 'is', null)]))
    .orderBy((eb) => eb.fn.coalesce('target_id', eb.lit(0)), 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    ...{ version: 1, changedAtUs: link.createdAtUs, changes: {} },
    ...{ changedBy: by ?? null, apiKey: apiKey ?? null },
  }
}
