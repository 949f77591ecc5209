import type { Caller } from '../caller.ts'
import { MINUTE_US } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import { freeToRemove, indexRestoredLink } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { countLinks } from './count-links.ts'
import type { EditLinkDeps } from './edit-link.ts'
import { noSuchLink } from './find-link.ts'
import { writeLinkTexts } from './link-text.ts'

/** Who deletes is offered to undo it for ten seconds; a slow network may take its time. */
const RESTORABLE_US = MINUTE_US

/**
 * Undoes the deletion of a link: the same link again, with its id and so with its clicks. Its code was its owner's all
 * the time; when the owner has made another link with it meanwhile, that one stays.
 */
export async function restoreLink(deps: EditLinkDeps, caller: Caller, code: string): Promise<void> {
  const { accountId } = caller
  const now = deps.clock.nowUs()
  await transact(deps.db, async (tx) => {
    const row = await takeDeleted(tx, { accountId, code, sinceUs: now - RESTORABLE_US })
    if (row === undefined) throw noSuchLink()
    const { deleted_at: _, ...link } = row
    const inserted = await tx
      .insertInto('links')
      .values({ ...link, updated_at: now })
      .onConflict((conflict) => conflict.column('code').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted === undefined) throw new Refusal('conflict', 'Another link uses this code now.')
    await writeLinkTexts(tx, [
      { linkId: link.id, accountId, title: link.title, originalUrl: link.original_url, code },
    ])
    await indexRestoredLink(tx, link.id)
    await countLinks(tx, accountId, { links: 1, active: link.is_active })
  })
  deps.changes.changed([code])
}

/** The latest with this code, should it have been deleted twice. */
async function takeDeleted(
  tx: Db,
  { accountId, code, sinceUs }: { accountId: number; code: string; sinceUs: number },
) {
  const latest = tx
    .selectFrom('deleted_links')
    .select('id')
    .where('account_id', '=', accountId)
    .where('code', '=', code)
    .where('deleted_at', '>', sinceUs)
    .orderBy('id', 'desc')
    .limit(1)
  return tx.deleteFrom('deleted_links').where('id', '=', latest).returningAll().executeTakeFirst()
}

/** For good. */
export async function forgetDeletedLinks(db: Db, nowUs: number): Promise<void> {
  const old = db
    .selectFrom('deleted_links')
    .select('id')
    .where('deleted_at', '<=', nowUs - RESTORABLE_US)
  await db.deleteFrom('deleted_links').where('id', 'in', freeToRemove(db, old)).execute()
}
