import { type Clock, DAY_US } from '../../runtime/clock.ts'
import { invitationTemplate } from '../../mail/account-emails.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { CurrentDb, DurableDb, Tx } from '../../store/handles.ts'
import { textOrNone } from '../../validation/field-rules.ts'
import { mailedLink, type MailingDeps, writerOf } from '../tokens/mailed-link.ts'
import { hashSecret, newSecret } from '../tokens/secret-text.ts'
import type { SignUpMode } from './sign-up.ts'

const LIFETIME_US = 7 * DAY_US

const NOT_INVITED = 'Sign-up needs a valid invitation. Ask the operator of this server.'
const notInvited = () => invalid({ invitation: [NOT_INVITED] })

/** The token of one; '' without. */
export const invitationField = textOrNone(NOT_INVITED)

export type Invitation = { id: number; email: string; createdAtUs: number; expiresAtUs: number }

type InviteDeps = MailingDeps & { db: DurableDb; clock: Clock }

/** Sends a link to sign up with. A second invitation to the same email replaces the first. */
export async function invite(deps: InviteDeps, email: string): Promise<Invitation & { href: string }> {
  const token = newSecret()
  const now = deps.clock.nowUs()
  const values = { email, token_hash: hashSecret(token), created_at: now, expires_at: now + LIFETIME_US }
  const { id } = await deps.db
    .insertInto('invitations')
    .values(values)
    .onConflict((conflict) => conflict.column('email').doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow()
  const href = mailedLink(deps.baseUrl, 'sign-up', token)
  deps.mails.post(invitationTemplate(writerOf(deps), { to: email, href }))
  return { id, email, href, createdAtUs: now, expiresAtUs: values.expires_at }
}

/** Invitations that have not expired. */
export async function listInvitations({ db, clock }: { db: CurrentDb; clock: Clock }): Promise<Invitation[]> {
  return db
    .selectFrom('invitations')
    .select(['id', 'email', 'created_at as createdAtUs', 'expires_at as expiresAtUs'])
    .where('expires_at', '>', clock.nowUs())
    .orderBy('id', 'desc')
    .execute()
}

export async function withdrawInvitation(db: DurableDb, invitationId: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('id', '=', invitationId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Refusal('invitation_not_found', 'Invitation not found.')
}

type Presented = { token: string; email: string }

/** The email that a valid invitation is for. */
export async function invitedEmail(
  { db, clock }: { db: CurrentDb; clock: Clock },
  token: string,
): Promise<string> {
  const row = await goodInvitation({ db, clock }, token)
  if (row === undefined) throw notInvited()
  return row.email
}

/** True if the invitation is valid, which does not consume it. False if none is needed and none was sent. */
export async function refuseWithoutInvitation(
  deps: { db: CurrentDb; clock: Clock },
  mode: SignUpMode,
  { token, email }: Presented,
): Promise<boolean> {
  if (mode === 'open' && token === '') return false
  if ((await invitedEmail(deps, token)) === email) return true
  throw otherAddress()
}

export const otherAddress = () => invalid({ email: ['This invitation is for another email address.'] })

/** The token was mailed, so its owner can read that email. */
export async function useInvitation(
  { db, clock }: { db: Tx; clock: Clock },
  { token, email }: Presented,
): Promise<void> {
  const row = await db
    .deleteFrom('invitations')
    .where('token_hash', '=', hashSecret(token))
    .where('email', '=', email)
    .where('expires_at', '>', clock.nowUs())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw notInvited()
}

function goodInvitation({ db, clock }: { db: CurrentDb; clock: Clock }, token: string) {
  return db
    .selectFrom('invitations')
    .select('email')
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', clock.nowUs())
    .executeTakeFirst()
}
