import { Refusal } from '../errors/refusal.ts'
import type { AnyDb, Tx } from '../store/handles.ts'
import { DEFAULT_PLAN } from '../access/plan-names.ts'

export const suspendedAccount = () =>
  new Refusal('account_suspended', 'The operator has suspended this account.')

export const noSuchWorkspace = () => new Refusal('workspace_not_found', 'Workspace not found.')

/** A new workspace on the free plan, with its owner as the only member. */
export async function createWorkspace(
  tx: Tx,
  { name, ownerId, nowUs }: { name: string; ownerId: number; nowUs: number },
): Promise<number> {
  const { id } = await tx
    .insertInto('workspaces')
    .values({
      name,
      plan: DEFAULT_PLAN,
      subscription_status: 'active',
      subscription_expires_at: null,
      created_at: nowUs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('members')
    .values({ workspace_id: id, user_id: ownerId, role: 'owner', joined_at: nowUs })
    .execute()
  return id
}

export async function workspaceCreatedAtUs(db: AnyDb, workspaceId: number): Promise<number> {
  const { created_at: createdAtUs } = await db
    .selectFrom('workspaces')
    .select('created_at')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return createdAtUs
}
