import type { SignedInCaller } from '../../access/caller.ts'
import type { FieldChanges } from '../../audit/changes-text.ts'
import { recordChange } from '../../audit/record-change.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import { lock } from '../../store/engine-sql.ts'
import type { AnyDb, DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import type { NewView, ViewChanges } from './view-fields.ts'

/** Of one user in one workspace. */
const VIEWS_OF_USER_MAX = 100

export type ViewDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

export const viewNotFound = () => new Refusal('view_not_found', 'View not found.')

/** Saves a list of links under a name, and returns its ID. */
export async function saveView(
  { db, clock }: ViewDeps,
  caller: SignedInCaller,
  { name, query, is_shared: isShared }: NewView,
): Promise<number> {
  if (isShared) refuseSharing(caller)
  const { workspaceId, userId } = caller
  return transact(db, async (tx) => {
    await lock(tx, `views of user ${userId} in workspace ${workspaceId}`)
    await refuseTooMany(tx, caller)
    const { id } = await tx
      .insertInto('saved_views')
      .values({
        workspace_id: workspaceId,
        user_id: userId,
        name,
        query,
        is_shared: Number(isShared),
        created_at: clock.nowUs(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (isShared) {
      const changes = { query: { from: null, to: query } }
      const change = { nowUs: clock.nowUs(), action: 'view.shared', target: name, targetId: id } as const
      await recordChange(tx, caller, { ...change, changes })
    }
    return id
  })
}

/** Refused to others than the user who saved it, and while they may not share, if it is shared. */
export async function findOwnView({ db }: { db: AnyDb }, caller: SignedInCaller, id: number) {
  const view = await db
    .selectFrom('saved_views')
    .selectAll()
    .where('workspace_id', '=', caller.workspaceId)
    .where('id', '=', id)
    .where('user_id', '=', caller.userId)
    .executeTakeFirst()
  if (view === undefined) throw viewNotFound()
  if (view.is_shared === 1) refuseOfShared(caller)
  return view
}

/** Changes the fields that are named. */
export async function changeView(
  { db, clock }: ViewDeps,
  caller: SignedInCaller,
  { id, changes: { name, query, is_shared: isShared } }: { id: number; changes: ViewChanges },
): Promise<void> {
  if (isShared) refuseSharing(caller)
  await transact(db, async (tx) => {
    const view = await findOwnView({ db: tx }, caller, id)
    const columns = {
      ...(name === undefined ? {} : { name }),
      ...(query === undefined ? {} : { query }),
      ...(isShared === undefined ? {} : { is_shared: Number(isShared) }),
    }
    if (Object.keys(columns).length === 0) return
    await tx.updateTable('saved_views').set(columns).where('id', '=', id).execute()
    await recordView({ tx, nowUs: clock.nowUs() }, caller, { before: view, after: { ...view, ...columns } })
  })
}

type View = { id: number; name: string; query: string; is_shared: number }

/** What only its user sees is not in the audit log. */
async function recordView(
  { tx, nowUs }: { tx: Tx; nowUs: number },
  caller: SignedInCaller,
  { before, after }: { before: View; after: View },
): Promise<void> {
  if (before.is_shared === 0 && after.is_shared === 0) return
  const changes: FieldChanges = {}
  for (const name of ['name', 'query'] as const)
    if (before[name] !== after[name]) changes[name] = { from: before[name], to: after[name] }
  if (before.is_shared !== after.is_shared)
    changes.is_shared = { from: before.is_shared === 1, to: after.is_shared === 1 }
  if (Object.keys(changes).length === 0) return
  const action = before.is_shared === 0 ? 'view.shared' : 'view.updated'
  await recordChange(tx, caller, { nowUs, action, target: before.name, targetId: before.id, changes })
}

/** A shared view is a tab for everybody. */
function refuseSharing(caller: SignedInCaller): void {
  if (!caller.can('templates:write')) {
    throw invalid({ is_shared: ['Your role in this workspace does not allow sharing views.'] })
  }
}

/** Who shared a view may be a viewer by now. */
export function refuseOfShared(caller: SignedInCaller): void {
  if (!caller.can('templates:write'))
    throw new Refusal(
      'role_insufficient',
      'Your role in this workspace does not allow changing shared views.',
    )
}

async function refuseTooMany(tx: Tx, { workspaceId, userId }: SignedInCaller): Promise<void> {
  const { views } = await tx
    .selectFrom('saved_views')
    .select((eb) => eb.fn.countAll<number>().as('views'))
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (views >= VIEWS_OF_USER_MAX) {
    throw invalid({ name: [`You can save up to ${VIEWS_OF_USER_MAX} views. Delete one first.`] })
  }
}
