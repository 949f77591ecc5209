import type { Caller } from '../access/caller.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import {
  hashedPassword,
  newSecretColumns,
  refusePastEnd,
  type ShareDeps,
  type ShareRequest,
} from './create-share.ts'
import type { ShareEdit } from './share-fields.ts'
import {
  findSubject,
  noSuchShare,
  recordShareChange,
  type Share,
  shareChanges,
  type SharePlace,
  type ShareRow,
  shareRowsOf,
  type ShareSubject,
  toShare,
} from './share.ts'

/** Changes the fields that are named. The URL stays. */
export async function changeShare(
  deps: ShareDeps,
  caller: Caller,
  { place, input, signal }: ShareRequest<ShareEdit>,
): Promise<Share> {
  const { db, clock } = deps
  refusePastEnd(clock.nowUs(), input.ends_at)
  const { workspaceId } = caller
  const passwordHash = await hashedPassword(deps, { workspaceId, signal }, input.password)
  return transact(db, async (tx) => {
    const { subject, row } = await lockedShare(tx, caller, place)
    const after: ShareRow = {
      ...row,
      ...(input.panels === undefined ? {} : { panels: JSON.stringify(input.panels) }),
      ...(input.ends_at === undefined ? {} : { ends_at: input.ends_at }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    }
    const changes = shareChanges(row, after)
    if (Object.keys(changes).length === 0) return toShare(row)
    const { panels, ends_at, password_hash } = after
    const set = { panels, ends_at, password_hash }
    await tx.updateTable('shares').set(set).where('id', '=', row.id).execute()
    await recordShareChange(tx, caller, { subject, nowUs: clock.nowUs(), what: 'share_updated', changes })
    return toShare(after)
  })
}

/** Gives the page another URL. The one before stops at once. */
export function resetShare(
  { db, clock }: Omit<ShareDeps, 'passwords'>,
  caller: Caller,
  place: SharePlace,
): Promise<Share> {
  return transact(db, async (tx) => {
    const { subject, row } = await lockedShare(tx, caller, place)
    const columns = newSecretColumns()
    await tx.updateTable('shares').set(columns).where('id', '=', row.id).execute()
    await recordShareChange(tx, caller, { subject, nowUs: clock.nowUs(), what: 'share_reset' })
    return toShare({ ...row, ...columns })
  })
}

/** Stops sharing, at once on every node. */
export async function removeShare(
  { db, clock }: Omit<ShareDeps, 'passwords'>,
  caller: Caller,
  place: SharePlace,
): Promise<void> {
  await transact(db, async (tx) => {
    const { subject, row } = await lockedShare(tx, caller, place)
    await tx.deleteFrom('shares').where('id', '=', row.id).execute()
    await recordShareChange(tx, caller, { subject, nowUs: clock.nowUs(), what: 'unshared' })
  })
}

async function lockedShare(
  tx: Tx,
  caller: Caller,
  place: SharePlace,
): Promise<{ subject: ShareSubject; row: ShareRow }> {
  const subject = await findSubject({ db: tx }, caller, place)
  const row = await lockedToChange(tx, shareRowsOf(tx, subject)).executeTakeFirst()
  if (row === undefined) throw noSuchShare()
  return { subject, row }
}
