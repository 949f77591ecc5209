import type { Caller } from '../access/caller.ts'
import { MINUTE_US } from '../runtime/clock.ts'
import { Refusal } from '../errors/refusal.ts'
import { freeToRemove, indexRestoredLink } from '../store/engine-sql.ts'
import type { RelaxedDb, Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { countLinks } from './lists/count-links.ts'
import type { EditLinkDeps } from './edit-link.ts'
import { noSuchLink } from './find-link.ts'
import type { LinkKey } from './link-key.ts'
import { writeLinkTexts } from './lists/link-text.ts'

/** Who deletes is offered to undo it for ten seconds; a slow network may take its time. */
const RESTORABLE_US = MINUTE_US

/**
 * Undoes the deletion of a link: the link returns with its id, and so with its clicks. Its code remained its owner's. If
 * the code opens another link now, that link stays.
 */
export async function restoreLink(deps: EditLinkDeps, caller: Caller, key: LinkKey): Promise<void> {
  const { workspaceId } = caller
  const now = deps.clock.nowUs()
  await transact(deps.db, async (tx) => {
    const row = await takeDeleted(tx, { workspaceId, ...key, sinceUs: now - RESTORABLE_US })
    if (row === undefined) throw noSuchLink()
    const { deleted_at: _, ...link } = row
    await tx
      .insertInto('links')
      .values({ ...link, updated_at: now })
      .execute()
    const { numUpdatedRows } = await tx
      .updateTable('codes')
      .set({ link_id: link.id })
      .where('code', '=', key.code)
      .where('domain_id', '=', key.domainId)
      .where('link_id', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new Refusal('conflict', 'Another link uses this code now.')
    await writeLinkTexts(tx, [
      { linkId: link.id, workspaceId, title: link.title, originalUrl: link.original_url, code: link.code },
    ])
    await indexRestoredLink(tx, link.id)
    await countLinks(tx, workspaceId, { links: 1, active: link.is_active })
  })
  deps.changes.changed([key])
}

/** The last one deleted, if two had the code. */
async function takeDeleted(
  tx: Tx,
  { workspaceId, domainId, code, sinceUs }: LinkKey & { workspaceId: number; sinceUs: number },
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

/** For good. */
export async function forgetDeletedLinks(db: RelaxedDb, nowUs: number): Promise<void> {
  const old = db
    .selectFrom('deleted_links')
    .select('id')
    .where('deleted_at', '<=', nowUs - RESTORABLE_US)
  await db.deleteFrom('deleted_links').where('id', 'in', freeToRemove(db, old)).execute()
}
