import { transact } from '../store/transact.ts'
import type { Caller } from '../caller.ts'
import { countLinks } from './count-links.ts'
import type { EditLinkDeps } from './edit-link.ts'
import { noSuchLink } from './find-link.ts'

/** Turns the link on or off, whichever it was not, in one statement: of parallel toggles each sees another state. */
export async function toggleLink(
  deps: EditLinkDeps,
  caller: Caller,
  code: string,
): Promise<{ isActive: boolean }> {
  const toggled = await transact(deps.db, async (tx) => {
    const row = await tx
      .updateTable('links')
      .set((eb) => ({ is_active: eb(eb.val(1), '-', eb.ref('is_active')), updated_at: deps.clock.nowUs() }))
      .where('code', '=', code)
      .where('account_id', '=', caller.accountId)
      .returning('is_active')
      .executeTakeFirst()
    if (row === undefined) throw noSuchLink()
    const isActive = row.is_active === 1
    await countLinks(tx, caller.accountId, { links: 0, active: isActive ? 1 : -1 })
    return { isActive }
  })
  deps.changes.changed([code])
  return toggled
}
