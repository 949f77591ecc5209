import type { Caller } from '../../access/caller.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { VERSIONS_MAX } from './record-version.ts'

export type VersionBefore = { link: Link; version: number }

/**
 * The version that a link had before the change that an entry of the audit log is about, which has the time of the change. Null
 * where there is none to restore: the entry is about something else or several links, the change was not of what visitors meet, the
 * link is deleted, or the version is too old to be kept.
 */
export async function versionBefore(
  deps: { db: CurrentDb },
  caller: Caller,
  entryId: number,
): Promise<VersionBefore | null> {
  const { action, targetId, happenedAtUs } = await findEntry(deps, caller, entryId)
  if (!action.startsWith('link.') || targetId === null) return null
  const row = await selectLinks(deps.db)
    .where('links.id', '=', targetId)
    .where('links.workspace_id', '=', caller.workspaceId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { changed } = await deps.db
    .selectFrom('link_versions')
    .select((eb) => eb.fn.min<number | null>('version').as('changed'))
    .where('link_id', '=', targetId)
    .where('changed_at', '=', happenedAtUs)
    .executeTakeFirstOrThrow()
  const link = toLink(row)
  if (changed === null || changed - 1 <= link.version - VERSIONS_MAX) return null
  return { link, version: changed - 1 }
}

/** When an entry of the workspace was written, and the ID of the one thing that was changed. */
async function findEntry(
  { db }: { db: CurrentDb },
  { workspaceId }: Caller,
  entryId: number,
): Promise<{ action: string; targetId: number | null; happenedAtUs: number }> {
  const row = await db
    .selectFrom('audit_log')
    .select(['action', 'target_id as targetId', 'happened_at as happenedAtUs'])
    .where('id', '=', entryId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('audit_entry_not_found', 'Entry not found.')
  return row
}
