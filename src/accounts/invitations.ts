import { type Clock, DAY_US } from '../clock.ts'
import { invitationLetter } from '../mail/letters.ts'
import { invalid, Refusal } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { emailFaults, readEmail } from './email.ts'
import { mailedLink, type MailingDeps, writerOf } from './mailed-link.ts'
import { hashSecret, newSecret, readSecret } from './secret-text.ts'
import type { SignUpMode } from './sign-up.ts'

const LIFETIME_US = 7 * DAY_US

export type Invitation = { id: number; email: string; createdAtUs: number; expiresAtUs: number }

type InviteDeps = MailingDeps & { db: Db; clock: Clock }

/** Mails somebody the link to sign up by. Another invitation to the same address takes the place of the first. */
export async function invite(deps: InviteDeps, input: unknown): Promise<Invitation & { href: string }> {
  const email = readEmail(input)
  const faults = emailFaults(email)
  if (faults.length > 0) throw invalid({ email: faults })
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
  deps.mails.post(invitationLetter(writerOf(deps), { to: email, href }))
  return { id, email, href, createdAtUs: now, expiresAtUs: values.expires_at }
}

/** Those that can still be used. */
export async function listInvitations({ db, clock }: { db: Db; clock: Clock }): Promise<Invitation[]> {
  return db
    .selectFrom('invitations')
    .select(['id', 'email', 'created_at as createdAtUs', 'expires_at as expiresAtUs'])
    .where('expires_at', '>', clock.nowUs())
    .orderBy('id', 'desc')
    .execute()
}

export async function withdrawInvitation(db: Db, invitationId: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('id', '=', invitationId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Refusal('not-found', 'Invitation not found.')
}

type Presented = { token: unknown; email: string }

/** The address that a good invitation is for. */
export async function invitedEmail({ db, clock }: { db: Db; clock: Clock }, token: unknown): Promise<string> {
  const row = await goodInvitation({ db, clock }, readSecret(token))
  if (row === undefined) throw notInvited()
  return row.email
}

/** True with a good invitation, which has not been used up by this; false where none is needed and none was sent. */
export async function refuseWithoutInvitation(
  deps: { db: Db; clock: Clock },
  mode: SignUpMode,
  { token, email }: Presented,
): Promise<boolean> {
  if (mode === 'open' && (token === undefined || token === null || token === '')) return false
  if ((await invitedEmail(deps, token)) === email) return true
  throw invalid({ email: ['This invitation is for another email address.'] })
}

/** Who has the token has read the mail, so the address is theirs. */
export async function useInvitation(
  { db, clock }: { db: Db; clock: Clock },
  { token, email }: Presented,
): Promise<void> {
  const used = await db
    .deleteFrom('invitations')
    .where('token_hash', '=', hashSecret(readSecret(token)))
    .where('email', '=', email)
    .where('expires_at', '>', clock.nowUs())
    .returning('id')
    .executeTakeFirst()
  if (used === undefined) throw notInvited()
}

const notInvited = () =>
  invalid({ invitation: ['Sign-up needs a valid invitation. Ask the operator of this server.'] })

function goodInvitation({ db, clock }: { db: Db; clock: Clock }, token: string) {
  return db
    .selectFrom('invitations')
    .select('email')
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', clock.nowUs())
    .executeTakeFirst()
}
