import type { Clock } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { verificationLetter } from './sign-up.ts'
import { readEmail } from './email.ts'
import type { MailingDeps } from './mailed-link.ts'
import { readSecret } from './secret-text.ts'
import { issueToken, spentToken, takeTokenInTurn } from './single-use-token.ts'

/** By the mailed link's token. It is good for the address that it was mailed to, and no longer when that has changed. */
export async function confirmEmail(
  deps: { db: Db; clock: Clock },
  token: unknown,
): Promise<{ email: string }> {
  return transact(deps.db, async (tx) => {
    const inTurn = { db: tx, clock: deps.clock }
    const taken = await takeTokenInTurn(inTurn, { purpose: 'verify-email', token: readSecret(token) })
    const confirmed =
      taken &&
      (await tx
        .updateTable('accounts')
        .set((eb) => ({ email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(deps.clock.nowUs())) }))
        .where('id', '=', taken.accountId)
        .where('email', '=', taken.email)
        .where('closed_at', 'is', null)
        .returning('email')
        .executeTakeFirst())
    if (confirmed === undefined) throw spentToken()
    return confirmed
  })
}

/** Mails the link again, to an address that waits for it. For all others the same work, and no mail. */
export async function resendVerification(
  deps: MailingDeps & { db: Db; clock: Clock },
  input: unknown,
): Promise<void> {
  const email = readEmail(input)
  const account = await deps.db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('email', '=', email)
    .where('email_verified_at', 'is', null)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (account === undefined) await issueToken(deps, { purpose: 'verify-email', accountId: null })
  else deps.mails.post(await verificationLetter(deps, account))
}
