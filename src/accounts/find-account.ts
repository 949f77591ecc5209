import { Refusal } from '../refusal.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { type Account, toAccount } from './account.ts'
import { normalEmail } from './email.ts'

export async function accountById(db: Db, accountId: number): Promise<Account> {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return toAccount(row)
}

/** Whoever changes rows of an account besides its own begins with this, so that two such changes take turns. */
export async function lockAccount(tx: Db, accountId: number): Promise<void> {
  await lockedToChange(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId)).execute()
}

/** For the operator, who knows accounts by their address. Refused when there is none. */
export async function accountByEmail(db: Db, email: string): Promise<Account> {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', normalEmail(email))
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', `There is no account with the email ${email}.`)
  return toAccount(row)
}

/** All accounts, oldest first. */
export async function listAccounts(db: Db): Promise<Account[]> {
  return (
    await db.selectFrom('accounts').selectAll().where('closed_at', 'is', null).orderBy('id').execute()
  ).map(toAccount)
}

/** False: whoever gets the first account is the operator. */
export async function hasAccounts(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
