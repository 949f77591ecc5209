import type { Caller } from '../access/caller.ts'
import { actionsOf, type MemberRole, SCOPES } from '../access/roles-and-scopes.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Tx } from '../store/handles.ts'

/** `role`: what the user was until now. */
export type Leaving = { userId: number; role: MemberRole; keepsKeys: boolean; nowUs: number }

/**
 * For a member who leaves: revokes the keys that they made in the workspace, or keeps them for it. A key that is kept loses the scopes
 * that the role does not allow, which it could not use either, and is revoked if none is left. Returns what happened to them.
 */
export async function endKeysOf(
  tx: Tx,
  caller: Caller,
  { userId, role, keepsKeys, nowUs }: Leaving,
): Promise<'kept' | 'revoked' | 'none'> {
  const keys = await tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'key_hint as hint', 'scopes'])
    .where('workspace_id', '=', caller.workspaceId)
    .where('user_id', '=', userId)
    .where('is_kept', '=', 0)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  const own = SCOPES.filter((scope) => actionsOf(role).includes(scope))
  for (const { id, name: target, hint, scopes: stored } of keys) {
    const before = JSON.parse(stored) as string[]
    const scopes = own.filter((scope) => before.includes(scope))
    const isKept = keepsKeys && scopes.length > 0
    const { numUpdatedRows } = await tx
      .updateTable('api_keys')
      .set(isKept ? { is_kept: 1, scopes: JSON.stringify(scopes) } : { revoked_at: nowUs })
      .where('id', '=', id)
      // The operator may have just revoked it.
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) continue
    const isCut = scopes.length < before.length
    const changes = isCut ? { scopes: { from: before, to: scopes } } : {}
    await recordChange(tx, caller, {
      nowUs,
      action: isKept ? 'key.kept' : 'key.revoked',
      target,
      targetId: id,
      changes: isKept ? changes : { key: { from: hint, to: null } },
    })
  }
  return keys.length === 0 ? 'none' : keepsKeys ? 'kept' : 'revoked'
}
