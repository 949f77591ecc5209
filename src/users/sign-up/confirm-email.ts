import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { verificationEmail } from './sign-up.ts'
import type { MailingDeps } from '../tokens/mailed-link.ts'
import { issueToken, spentToken, consumeTokenLocked } from '../tokens/single-use-token.ts'

/** The token of the emailed link verifies only the email that it was sent to. */
export async function confirmEmail(
  deps: { db: DurableDb; clock: Clock },
  token: string,
): Promise<{ email: string }> {
  return transact(deps.db, async (tx) => {
    const inTurn = { db: tx, clock: deps.clock }
    const tokenRow = await consumeTokenLocked(inTurn, { purpose: 'verify-email', token })
    const confirmed =
      tokenRow &&
      (await tx
        .updateTable('users')
        .set((eb) => ({ email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(deps.clock.nowUs())) }))
        .where('id', '=', tokenRow.userId)
        .where('email', '=', tokenRow.email)
        .where('closed_at', 'is', null)
        .returning('email')
        .executeTakeFirst())
    if (confirmed === undefined) throw spentToken()
    return confirmed
  })
}

/** Sends the link again to an unverified email. For all others it does the same work and sends nothing. */
export async function resendVerification(
  deps: MailingDeps & { db: DurableDb; clock: Clock },
  email: string,
): Promise<void> {
  const account = await deps.db
    .selectFrom('users')
    .select(['id as userId', 'email'])
    .where('email', '=', email)
    .where('email_verified_at', 'is', null)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (account === undefined) await issueToken(deps, { purpose: 'verify-email', userId: null })
  else deps.mails.post(await verificationEmail(deps, account))
}
