import type { BlockChanges } from '../links/block-host.ts'
import type { Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import { lock } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { lockAccount } from './find-account.ts'
import type { PasswordQueue } from './password-queue.ts'
import { reauthenticate } from './reauthenticate.ts'
import { endAllSessions } from './session.ts'
import { dropTokens } from './single-use-token.ts'

type CloseDeps = { db: Db; clock: Clock; passwords: PasswordQueue; blocks: BlockChanges }

/**
 * Deletes an account, as far as anybody can see, at once: nobody can sign in, its keys are unknown, its links take
 * nobody anywhere, and who it was is forgotten. What may be much (links, clicks) is removed in small steps behind it:
 * see removeClosedAccounts.
 */
export async function closeAccount(deps: CloseDeps, accountId: number, password: unknown): Promise<void> {
  await reauthenticate(deps, accountId, password)
  await transact(deps.db, async (tx) => {
    await refuseLastOperator(tx, accountId)
    await lockAccount(tx, accountId)
    await endAllSessions(tx, accountId)
    await dropTokens(tx, accountId)
    await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
    await tx.deleteFrom('passkeys').where('account_id', '=', accountId).execute()
    await tx.deleteFrom('api_keys').where('account_id', '=', accountId).execute()
    await tx
      .updateTable('accounts')
      .set({
        name: '',
        // No address has this form, so it is free to sign up with again.
        email: `closed ${accountId}`,
        password_hash: '',
        email_verified_at: null,
        role: 'user',
        totp_secret: null,
        totp_enabled_at: null,
        closed_at: deps.clock.nowUs(),
      })
      .where('id', '=', accountId)
      .execute()
  })
  await deps.blocks.changed()
}

/** Somebody has to be able to make the next one. */
export async function refuseLastOperator(tx: Db, accountId: number): Promise<void> {
  await lock(tx, 'operators')
  const admins = await tx
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'admin')
    .where('closed_at', 'is', null)
    .where('suspended_at', 'is', null)
    .limit(2)
    .execute()
  if (admins.length !== 1 || admins[0]!.id !== accountId) return
  const other = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '!=', accountId)
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) {
    throw new Refusal(
      'conflict',
      'This is the only operator account. Make another account an operator first.',
    )
  }
}
