import type { DurableDb, Tx } from '../store/handles.ts'
import { invalid } from '../errors/refusal.ts'
import type { Caller } from '../access/caller.ts'
import type { ClaimedCode } from '../codes/log/code-log-record.ts'
import { lockAliases, replaceAliases } from './aliases.ts'
import type { CreateLinksDeps } from './create-links.ts'
import type { Clock } from '../runtime/clock.ts'
import { transact } from '../store/transact.ts'
import { countLinks } from './lists/count-links.ts'
import { findKeys, noSuchLink } from './find-link.ts'
import type { LinkKey } from './link-key.ts'
import type { LinkChanges } from './link.ts'
import { writeLinkTexts } from './lists/link-text.ts'
import { type LinkEdit, linkColumns } from './link-fields.ts'
import { optionConflicts } from './link-options.ts'
import type { WithPasswordHash } from './link-password.ts'

/** What every change of a link takes. */
export type EditLinkDeps = { db: DurableDb; clock: Clock; changes: LinkChanges }

/** Changes what the edit names and nothing else. */
export async function editLink(
  deps: EditLinkDeps & Pick<CreateLinksDeps, 'codeLog'>,
  caller: Caller,
  { key, edit }: { key: LinkKey; edit: WithPasswordHash<LinkEdit> },
): Promise<void> {
  const { aliases } = edit
  if (aliases !== undefined) await deps.codeLog.ready()
  let claims: ClaimedCode[] = []
  const changed = await transact(deps.db, async (tx) => {
    const { workspaceId } = caller
    if (aliases !== undefined) await lockAliases(tx, workspaceId)
    const found = await findKeys(tx, caller, key)
    const { linkId, own, keys } = found
    const added = aliases === undefined ? [] : await replaceAliases(tx, { workspaceId, ...found }, aliases)
    const { is_active: isActive, ...columns } = linkColumns(edit)
    const row = await tx
      .updateTable('links')
      // Kysely leaves columns as they are whose value is undefined.
      .set({ ...columns, updated_at: deps.clock.nowUs() })
      .where('id', '=', linkId)
      .returning([
        'id as linkId',
        'account_id as workspaceId',
        'title',
        'original_url as originalUrl',
        'code',
        'starts_at',
        'expires_at',
      ])
      .executeTakeFirst()
    if (row === undefined) throw noSuchLink()
    refuseConflicts(row)
    if (edit.original_url !== undefined || edit.title !== undefined || aliases !== undefined) {
      const others = keys.map(({ code }) => code).filter((code) => code !== own.code)
      await writeLinkTexts(tx, [{ ...row, aliases: aliases ?? others }])
    }
    if (isActive !== undefined) await setActive(tx, caller, { linkId, isActive })
    claims = added.map((claimed) => ({ ...claimed, workspaceId, linkId }))
    deps.codeLog.note(claims)
    return [...keys, ...added]
  })
  await deps.codeLog.keep(claims)
  deps.changes.changed(changed)
}

/** A stored field may conflict with one that is changed. */
function refuseConflicts(options: Parameters<typeof optionConflicts>[0]): void {
  const conflicts = Object.entries(optionConflicts(options)).map(([field, sentence]) => [field, [sentence]])
  if (conflicts.length > 0) throw invalid(Object.fromEntries(conflicts))
}

async function setActive(
  tx: Tx,
  caller: Caller,
  { linkId, isActive }: { linkId: number; isActive: number },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('links')
    .set({ is_active: isActive })
    .where('id', '=', linkId)
    .where('is_active', '!=', isActive)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n)
    await countLinks(tx, caller.workspaceId, { links: 0, active: isActive === 1 ? 1 : -1 })
}
