import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../store/handles.ts'
import { isSameKey, type LinkKey } from '../link-key.ts'

type InTrash = { key: LinkKey; sinceUs: number }

/** Removes the link with this code from the trash and gives what it was; the one deleted last, if several had the code. */
export async function takeFromTrash(
  tx: Tx,
  { workspaceId }: Caller,
  { key: { code, domainId }, sinceUs }: InTrash,
) {
  const latest = tx
    .selectFrom('deleted_links')
    .select('id')
    .where('account_id', '=', workspaceId)
    .where('code', '=', code)
    .where('domain_id', '=', domainId)
    .where('deleted_at', '>', sinceUs)
    .orderBy('id', 'desc')
    .limit(1)
  return tx.deleteFrom('deleted_links').where('id', '=', latest).returningAll().executeTakeFirst()
}

/** What is kept beside a link, for links that are gone for good. */
export async function removeLinkHistory(tx: Tx, linkIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('link_openings').where('link_id', 'in', linkIds).execute()
  await tx.deleteFrom('link_versions').where('link_id', 'in', linkIds).execute()
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
