import type { Clock } from '../../runtime/clock.ts'
import { changeEmailTemplate, emailChangedTemplate, emailTakenTemplate } from '../../mail/account-emails.ts'
import { isUniqueViolation } from '../../store/store-errors.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { userById } from '../find-user.ts'
import { recordOwnChange } from '../members/record-own-change.ts'
import { type MailCount, mailedLink, type MailingDeps, nameToGreet, writerOf } from '../tokens/mailed-link.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { type Proof, reauthenticate } from '../sign-in/reauthenticate.ts'
import { dropTokens, issueToken, spentToken, consumeTokenLocked } from '../tokens/single-use-token.ts'

type AskDeps = MailingDeps & MailCount & { db: DurableDb; clock: Clock; passwords: PasswordQueue }

/**
 * Sends the new email a link that confirms the change. If that email has an account already, only its owner learns of it, by
 * email.
 */
export async function requestEmailChange(
  deps: AskDeps,
  userId: number,
  { email, proof }: { email: string; proof: Proof },
): Promise<void> {
  await reauthenticate(deps, userId, proof)
  deps.countMail(email)
  const token = await issueToken(deps, { purpose: 'change-email', userId, email })
  const owner = await deps.db
    .selectFrom('users')
    .select(['name', 'email_verified_at'])
    .where('email', '=', email)
    .executeTakeFirst()
  const href = mailedLink(deps.baseUrl, 'confirm-email', token)
  deps.mails.post(
    owner === undefined
      ? changeEmailTemplate(writerOf(deps), { to: email, href })
      : emailTakenTemplate(writerOf(deps), { to: email, name: nameToGreet(owner) }),
  )
}

type ConfirmDeps = MailingDeps & { db: DurableDb; clock: Clock }

/** Notifies the old email, and invalidates all other emailed links of the user. */
export async function confirmNewEmail(
  deps: ConfirmDeps,
  { token, device }: { token: string; device: string },
): Promise<{ email: string }> {
  const outcome = await transact(deps.db, async (tx) => {
    const tokenRow = await consumeTokenLocked(
      { db: tx, clock: deps.clock },
      { purpose: 'change-email', token },
    )
    if (tokenRow === undefined || tokenRow.userId === null) throw spentToken()
    const { userId, email } = tokenRow
    const { name, email: oldEmail } = await userById(tx, userId)
    const nowUs = deps.clock.nowUs()
    await tx
      .updateTable('users')
      .set({ email, email_verified_at: nowUs })
      .where('id', '=', userId)
      .execute()
      .catch((error) => {
        // Somebody has signed up with it in the meantime.
        throw isUniqueViolation(error) ? spentToken() : error
      })
    await dropTokens(tx, userId)
    const by = { userId, actor: name, client: device }
    await recordOwnChange(tx, by, {
      nowUs,
      action: 'member.updated',
      target: email,
      targetId: userId,
      changes: { email: { from: oldEmail, to: email } },
    })
    return { name, oldEmail, email }
  })
  const { name, oldEmail, email } = outcome
  deps.mails.post(emailChangedTemplate(writerOf(deps), { to: oldEmail, name, email }))
  return { email }
}
