import type { Db } from '../store/open-store.ts'
import type { ClickOwner } from './click-counts.ts'

/** When the owner's latest click by a person was; null when there was none. */
export async function lastClickedAtUs(db: Db, owner: ClickOwner): Promise<number | null> {
  const row = await (
    'linkId' in owner
      ? db.selectFrom('link_totals').select('last_clicked_at').where('link_id', '=', owner.linkId)
      : db.selectFrom('account_totals').select('last_clicked_at').where('account_id', '=', owner.accountId)
  ).executeTakeFirst()
  return row?.last_clicked_at ?? null
}
