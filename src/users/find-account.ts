import { Refusal } from '../errors/refusal.ts'
import { noSuchWorkspace } from '../workspaces/workspace.ts'
import type { AnyDb, CurrentDb } from '../store/handles.ts'
import { type Account, selectAccounts, selectOwnAccounts, toAccount } from './account.ts'
import { normalEmail } from './email.ts'

/** Refused if the user is no member, or not any more. */
export async function accountOf(
  db: AnyDb,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<Account> {
  const row = await selectAccounts(db)
    .where('members.workspace_id', '=', workspaceId)
    .where('members.user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) throw noSuchWorkspace()
  return toAccount(row)
}

/** Of several owners, the first. */
export async function ownerOfWorkspace(db: AnyDb, workspaceId: number): Promise<Account> {
  const row = await selectAccounts(db)
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', '=', 'owner')
    .orderBy('members.joined_at')
    .orderBy('members.user_id')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw noSuchWorkspace()
  return toAccount(row)
}

/** For operators, who know users by their email. Refused if there is none. */
export async function accountByEmail(db: CurrentDb, email: string): Promise<Account> {
  const row = await selectOwnAccounts(db).where('users.email', '=', normalEmail(email)).executeTakeFirst()
  if (row === undefined)
    throw new Refusal('account_not_found', `There is no account with the email ${email}.`)
  return toAccount(row)
}

/** All users with the workspace they own, oldest first. */
export async function listAccounts(db: CurrentDb): Promise<Account[]> {
  return (await selectOwnAccounts(db).orderBy('users.id').execute()).map(toAccount)
}
