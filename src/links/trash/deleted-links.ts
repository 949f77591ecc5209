import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../store/handles.ts'
import { isSameKey, type LinkKey } from '../link-key.ts'

/** By its code: the one deleted last, if several had it. */
export type TrashKey = LinkKey | { id: number }

/** Removes a link from the trash and gives what it was. */
export async function takeFromTrash(
  tx: Tx,
  { workspaceId }: Caller,
  { key, sinceUs }: { key: TrashKey; sinceUs: number },
) {
  const own = tx
    .selectFrom('deleted_links')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>', sinceUs)
  const condition =
    'id' in key
      ? own.where('id', '=', key.id)
      : own.where('code', '=', key.code).where('domain_id', '=', key.domainId)
  return tx
    .deleteFrom('deleted_links')
    .where('id', '=', condition.orderBy('id', 'desc').limit(1))
    .returningAll()
    .executeTakeFirst()
}

/** What is kept beside a link, for links that are gone for good. */
export async function removeLinkHistory(tx: Tx, linkIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('link_openings').where('link_id', 'in', linkIds).execute()
  await tx.deleteFrom('imported_clicks').where('link_id', 'in', linkIds).execute()
  await tx.deleteFrom('link_versions').where('link_id', 'in', linkIds).execute()
  await tx.deleteFrom('link_labels').where('link_id', 'in', linkIds).execute()
  await tx.deleteFrom('shares').where('link_id', 'in', linkIds).execute()
}

/** The keys of a link beside its own, as the trash keeps them; null if there are none, as for most links. */
export function encodeOtherKeys(own: LinkKey, keys: readonly LinkKey[]): string | null {
  const others = keys.filter((key) => !isSameKey(key, own))
  return others.length === 0 ? null : JSON.stringify(others.map(({ domainId, code }) => [domainId, code]))
}

export function otherKeys(encoded: string | null): LinkKey[] {
  if (encoded === null) return []
  return (JSON.parse(encoded) as [number, string][]).map(([domainId, code]) => ({ domainId, code }))
}

/** The codes that open the link once it is restored, beside its own. */
export const aliasesInTrash = (encoded: string | null): string[] => otherKeys(encoded).map(({ code }) => code)
