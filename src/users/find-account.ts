import { Refusal } from '../errors/refusal.ts'
import type { AnyDb, CurrentDb } from '../store/handles.ts'
import { type Account, selectAccounts, selectOwnAccounts, toAccount } from './account.ts'
import { normalEmail } from './email.ts'

/** Without a user (the one who made a key is gone), returns the owner of the workspace. */
export async function accountOf(
  db: AnyDb,
  { workspaceId, userId }: { workspaceId: number; userId: number | null },
): Promise<Account> {
  const row = await selectAccounts(db)
    .where('members.workspace_id', '=', workspaceId)
    .$if(userId !== null, (query) => query.where('members.user_id', '=', userId!))
    .$if(userId === null, (query) => query.where('members.role', '=', 'owner'))
    .orderBy('members.joined_at')
    .orderBy('members.user_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return toAccount(row)
}

/** For operators, who know users by their email. Refused if there is none. */
export async function accountByEmail(db: CurrentDb, email: string): Promise<Account> {
  const row = await selectOwnAccounts(db).where('users.email', '=', normalEmail(email)).executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', `There is no account with the email ${email}.`)
  return toAccount(row)
}

/** All users with the workspace they own, oldest first. */
export async function listAccounts(db: CurrentDb): Promise<Account[]> {
  return (await selectOwnAccounts(db).orderBy('users.id').execute()).map(toAccount)
}
