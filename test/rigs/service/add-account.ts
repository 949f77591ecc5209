import type { DurableDb, RelaxedDb, Tx } from '../../../src/store/handles.ts'
import { createWorkspace } from '../../../src/workspaces/workspace.ts'
import { transact } from '../../../src/store/transact.ts'
import { NOON_US } from '../clicks/journal-rig.ts'

type AccountValues = { email: string; name?: string; role?: 'user' | 'admin' }

/** A user who owns a workspace, and cannot sign in: without the work of a password. */
export async function addAccount(
  db: DurableDb | RelaxedDb,
  values: AccountValues,
): Promise<{ userId: number; workspaceId: number }> {
  return transact(db, (tx) => insertAccount(tx, values))
}

async function insertAccount(tx: Tx, { email, name = '', role = 'user' }: AccountValues) {
  const { id: userId } = await tx
    .insertInto('users')
    .values({ name, email, role, password_hash: '', email_verified_at: null, created_at: NOON_US })
    .returning('id')
    .executeTakeFirstOrThrow()
  const workspaceId = await createWorkspace(tx, { name, ownerId: userId, nowUs: NOON_US })
  return { userId, workspaceId }
}
