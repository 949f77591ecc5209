import type { Clock } from '../clock.ts'
import { changeEmailLetter, emailChangedLetter, emailTakenLetter } from '../mail/letters.ts'
import { invalid } from '../refusal.ts'
import { isUniqueViolation } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { emailFaults, readEmail } from './email.ts'
import { accountById } from './find-account.ts'
import { type MailCount, mailedLink, type MailingDeps, nameToGreet, writerOf } from './mailed-link.ts'
import type { PasswordQueue } from './password-queue.ts'
import { reauthenticate } from './reauthenticate.ts'
import { readSecret } from './secret-text.ts'
import { dropTokens, issueToken, spentToken, takeTokenInTurn } from './single-use-token.ts'

type AskDeps = MailingDeps & MailCount & { db: Db; clock: Clock; passwords: PasswordQueue }

/**
 * Mails the new address a link that makes it the account's. That it has an account already is told to its owner by
 * mail and to nobody else.
 */
export async function askForNewEmail(
  deps: AskDeps,
  accountId: number,
  input: { email: unknown; password: unknown },
): Promise<void> {
  const email = readEmail(input.email)
  const faults = emailFaults(email)
  if (faults.length > 0) throw invalid({ email: faults })
  await reauthenticate(deps, accountId, input.password)
  deps.countMail(email)
  const token = await issueToken(deps, { purpose: 'change-email', accountId, email })
  const owner = await deps.db
    .selectFrom('accounts')
    .select(['name', 'email_verified_at'])
    .where('email', '=', email)
    .executeTakeFirst()
  const href = mailedLink(deps.baseUrl, 'confirm-email', token)
  deps.mails.post(
    owner === undefined
      ? changeEmailLetter(writerOf(deps), { to: email, href })
      : emailTakenLetter(writerOf(deps), { to: email, name: nameToGreet(owner) }),
  )
}

type ConfirmDeps = MailingDeps & { db: Db; clock: Clock }

/** By the mailed link's token. The old address hears of it, and every other mailed link of the account is spent. */
export async function confirmNewEmail(deps: ConfirmDeps, token: unknown): Promise<{ email: string }> {
  const changed = await transact(deps.db, async (tx) => {
    const taken = await takeTokenInTurn(
      { db: tx, clock: deps.clock },
      { purpose: 'change-email', token: readSecret(token) },
    )
    if (taken === undefined || taken.accountId === null) throw spentToken()
    const { name, email: oldEmail } = await accountById(tx, taken.accountId)
    await tx
      .updateTable('accounts')
      .set({ email: taken.email, email_verified_at: deps.clock.nowUs() })
      .where('id', '=', taken.accountId)
      .execute()
      .catch((error) => {
        // Somebody has signed up with it meanwhile.
        throw isUniqueViolation(error) ? spentToken() : error
      })
    await dropTokens(tx, taken.accountId)
    return { name, oldEmail, email: taken.email }
  })
  const { name, oldEmail, email } = changed
  deps.mails.post(emailChangedLetter(writerOf(deps), { to: oldEmail, name, email }))
  return { email }
}
