import type { LinkKey } from './link-key.ts'
import { type ChangeLinksDeps, changeLinks } from './change-links.ts'

type PasswordHashes = { linkId: number; before: string; after: string }

/** Of the same password, so the link has no new version. False if somebody else has replaced the hash. */
export function renewPasswordHash(
  deps: ChangeLinksDeps,
  { linkId, before, after }: PasswordHashes,
): Promise<boolean> {
  return changeLinks(deps, {}, async ({ tx, changedKeys }) => {
    const { numUpdatedRows } = await tx
      .updateTable('links')
      .set({ password_hash: after })
      .where('id', '=', linkId)
      .where('password_hash', '=', before)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const keys: LinkKey[] = await tx
      .selectFrom('codes')
      .select(['domain_id as domainId', 'code'])
      .where('link_id', '=', linkId)
      .execute()
    changedKeys.push(...keys)
    return true
  })
}
