import { z } from 'zod'
import type { SignedInCaller } from '../../access/caller.ts'
import type { MemberRole } from '../../access/roles-and-scopes.ts'
import { recordChange } from '../../audit/record-change.ts'
import { Refusal } from '../../errors/refusal.ts'
import { workspaceInvitationTemplate } from '../../mail/account-emails.ts'
import type { EmailTemplate } from '../../mail/email-template.ts'
import { DAY_US } from '../../runtime/clock.ts'
import type { AnyDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { lockForCaller } from '../../workspaces/lock-for-caller.ts'
import { toMemberRole } from '../../workspaces/members.ts'
import { choice, REQUIRED } from '../../validation/field-rules.ts'
import { emailField } from '../email.ts'
import { type MailCount, mailedLink, type MailingDeps, writerOf } from '../tokens/mailed-link.ts'
import { hashSecret } from '../tokens/secret-text.ts'
import { spendDailyInvitations } from './daily-invitations.ts'
import { type InvitationWay, newInvitationToken } from './invitation-token.ts'
import type { MemberDeps } from './member-changes.ts'

const LIFETIME_US = 7 * DAY_US
/** In one request. */
const EMAILS_MAX = 50
/** Of one workspace; those that have expired count until they are withdrawn. */
const PENDING_MAX = 200

const INVITED_ROLES = ['viewer', 'editor', 'admin'] as const

export type InviteDeps = MemberDeps & MailingDeps & MailCount

export type PendingInvitation = {
  id: number
  email: string
  role: MemberRole
  /** Null when that user is gone. */
  invitedBy: string | null
  createdAtUs: number
  expiresAtUs: number
}

/** The oldest first; with those that have expired. */
export async function listWorkspaceInvitations(
  { db }: { db: AnyDb },
  { workspaceId }: Pick<SignedInCaller, 'workspaceId'>,
): Promise<PendingInvitation[]> {
  const rows = await db
    .selectFrom('workspace_invitations as invited')
    .leftJoin('users', 'users.id', 'invited.invited_by')
    .select(['invited.id', 'invited.email', 'invited.role', 'users.name as invitedBy'])
    .select(['invited.created_at as createdAtUs', 'invited.expires_at as expiresAtUs'])
    .where('invited.workspace_id', '=', workspaceId)
    .orderBy('invited.id')
    .limit(PENDING_MAX)
    .execute()
  return rows.map((row) => ({ ...row, role: toMemberRole(row.role) }))
}

export const newInvitations = z.object({
  emails: z
    .array(emailField, REQUIRED)
    .min(1, REQUIRED)
    .max(EMAILS_MAX, `The :attribute may not have more than ${EMAILS_MAX} items.`)
    .transform((emails) => [...new Set(emails)]),
  role: choice(INVITED_ROLES),
})

export type InviteResult = { email: string; outcome: 'invited' | 'member' | 'pending' }

/** Mails each address a link that works once, for it only. Says of each whether it was invited. */
export async function inviteMembers(
  deps: InviteDeps,
  caller: SignedInCaller,
  { emails, role }: z.output<typeof newInvitations>,
): Promise<InviteResult[]> {
  const { workspaceId } = caller
  for (const email of emails) deps.countMail(email)
  const { results, mails } = await transact(deps.db, async (tx) => {
    await lockForCaller(tx, caller, 'members:manage')
    const members = await emailsOfMembers(tx, { workspaceId, emails })
    const pending = await listWorkspaceInvitations({ db: tx }, caller)
    const outcomeFor = (email: string): InviteResult['outcome'] =>
      members.has(email) ? 'member' : pending.some((each) => each.email === email) ? 'pending' : 'invited'
    const results = emails.map((email) => ({ email, outcome: outcomeFor(email) }))
    const fresh = results.filter(({ outcome }) => outcome === 'invited')
    if (pending.length + fresh.length > PENDING_MAX)
      throw new Refusal('limit_reached', `A workspace can have ${PENDING_MAX} pending invitations at most.`)
    await spendDailyInvitations(tx, workspaceId, { count: fresh.length, nowUs: deps.clock.nowUs() })
    const mails: EmailTemplate[] = []
    for (const { email } of fresh) mails.push(await addInvitation(deps, { tx, caller, email, role }))
    return { results, mails }
  })
  for (const mail of mails) deps.mails.post(mail)
  return results
}

async function emailsOfMembers(
  tx: Tx,
  { workspaceId, emails }: { workspaceId: number; emails: readonly string[] },
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.workspace_id', '=', workspaceId)
    .where('users.email', 'in', emails)
    .execute()
  return new Set(rows.map(({ email }) => email))
}

type NewInvitation = { tx: Tx; caller: SignedInCaller; email: string; role: MemberRole }

async function addInvitation(
  deps: InviteDeps,
  { tx, caller, email, role }: NewInvitation,
): Promise<EmailTemplate> {
  const token = newInvitationToken('mailed')
  const now = deps.clock.nowUs()
  const { id } = await tx
    .insertInto('workspace_invitations')
    .values({
      workspace_id: caller.workspaceId,
      email,
      role,
      token_hash: hashSecret(token),
      invited_by: caller.userId,
      created_at: now,
      expires_at: now + LIFETIME_US,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordChange(tx, caller, {
    nowUs: now,
    action: 'invitation.sent',
    target: email,
    targetId: id,
    changes: { role: { from: null, to: role }, link: { from: null, to: 'mailed' } },
  })
  return templateOf(deps, tx, { caller, email, token })
}

async function templateOf(
  deps: InviteDeps,
  db: AnyDb,
  { caller, email, token }: { caller: SignedInCaller; email: string; token: string },
): Promise<EmailTemplate> {
  const { workspace, inviter } = await db
    .selectFrom('workspaces')
    .innerJoin('users', (join) => join.on('users.id', '=', caller.userId))
    .select(['workspaces.name as workspace', 'users.name as inviter'])
    .where('workspaces.id', '=', caller.workspaceId)
    .executeTakeFirstOrThrow()
  const href = mailedLink(deps.baseUrl, 'invitation', token)
  return workspaceInvitationTemplate(writerOf(deps), { to: email, href, workspace, inviter })
}

export type RenewedInvitation = { href: string; expiresAtUs: number }

/** A new link for seven days, to be passed on by the caller. The earlier one stops working. */
export async function copyInvitation(
  deps: MemberDeps & Pick<MailingDeps, 'baseUrl'>,
  caller: SignedInCaller,
  invitationId: number,
): Promise<RenewedInvitation> {
  const token = newInvitationToken('copied')
  const { expiresAtUs } = await renew(deps, caller, { invitationId, token, way: 'copied' })
  return { href: mailedLink(deps.baseUrl, 'invitation', token), expiresAtUs }
}

/** The same, mailed to the address. */
export async function sendInvitationAgain(
  deps: InviteDeps,
  caller: SignedInCaller,
  invitationId: number,
): Promise<void> {
  const pending = await listWorkspaceInvitations(deps, caller)
  const invitation = pending.find(({ id }) => id === invitationId)
  if (invitation === undefined) throw invitationNotFound()
  deps.countMail(invitation.email)
  const token = newInvitationToken('mailed')
  const { email } = await renew(deps, caller, { invitationId, token, way: 'mailed' })
  deps.mails.post(await templateOf(deps, deps.db, { caller, email, token }))
}

async function renew(
  { db, clock }: MemberDeps,
  caller: SignedInCaller,
  { invitationId, token, way }: { invitationId: number; token: string; way: InvitationWay },
): Promise<{ email: string; expiresAtUs: number }> {
  const nowUs = clock.nowUs()
  const expiresAtUs = nowUs + LIFETIME_US
  return transact(db, async (tx) => {
    await lockForCaller(tx, caller, 'members:manage')
    if (way === 'mailed') await spendDailyInvitations(tx, caller.workspaceId, { count: 1, nowUs })
    const row = await tx
      .updateTable('workspace_invitations')
      .set({ token_hash: hashSecret(token), invited_by: caller.userId, expires_at: expiresAtUs })
      .where('id', '=', invitationId)
      .where('workspace_id', '=', caller.workspaceId)
      .returning('email')
      .executeTakeFirst()
    if (row === undefined) throw invitationNotFound()
    const { email } = row
    await recordChange(tx, caller, {
      nowUs,
      action: 'invitation.sent',
      target: email,
      targetId: invitationId,
      changes: { link: { from: null, to: way } },
    })
    return { email, expiresAtUs }
  })
}

export async function withdrawWorkspaceInvitation(
  { db, clock }: MemberDeps,
  caller: SignedInCaller,
  invitationId: number,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockForCaller(tx, caller, 'members:manage')
    const row = await tx
      .deleteFrom('workspace_invitations')
      .where('id', '=', invitationId)
      .where('workspace_id', '=', caller.workspaceId)
      .returning('email')
      .executeTakeFirst()
    if (row === undefined) throw invitationNotFound()
    const change = { nowUs: clock.nowUs(), action: 'invitation.revoked', target: row.email } as const
    await recordChange(tx, caller, { ...change, targetId: invitationId })
  })
}

const invitationNotFound = () => new Refusal('invitation_not_found', 'Invitation not found.')
