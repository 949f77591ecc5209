import { type Actor, operatorIn } from '../../access/caller.ts'
import { AUDIT_LOG, auditRow, type Change } from '../../audit/record-change.ts'
import { writeRows } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'

/** A user who changes something about themselves. */
export type OwnActor = Actor & { userId: number }

/** Writes down in the log of each workspace of a user, in the transaction of the change, what they have changed about themselves. */
export async function recordOwnChange(tx: Tx, by: OwnActor, change: Change): Promise<void> {
  const workspaces = await tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select('members.workspace_id')
    .where('members.user_id', '=', by.userId)
    .where('workspaces.closed_at', 'is', null)
    .orderBy('members.workspace_id')
    .execute()
  if (workspaces.length === 0) return
  const rows = workspaces.map(({ workspace_id: id }) => auditRow(operatorIn(id, by), change))
  await writeRows(tx, AUDIT_LOG, rows)
}
