import { z } from '@hono/zod-openapi'
import { MEMBER_ROLES } from '../../access/roles-and-scopes.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { acceptInvitation } from '../../users/members/join-workspace.ts'
import { listMemberNames, listMembers, type Member } from '../../users/members/list-members.ts'
import { changeMemberRole, memberRole, removeMember } from '../../users/members/member-changes.ts'
import {
  copyInvitation,
  inviteMembers,
  listWorkspaceInvitations,
  newInvitations,
  type PendingInvitation,
  sendInvitationAgain,
  withdrawWorkspaceInvitation,
} from '../../users/members/workspace-invitations.ts'
import { comparedText, trueOrFalse } from '../../validation/field-rules.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { countingMails } from '../dispatch/server-deps.ts'
import { idOf } from '../requests/read-request.ts'
import { timestamp } from './schemas.ts'

const role = z.enum(MEMBER_ROLES)

const memberSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role,
  has_two_factor: z.boolean(),
  keys: z.int().meta({ description: 'Active API keys.' }),
  joined_at: timestamp(),
  last_active_at: timestamp().nullable(),
})
type MemberView = z.infer<typeof memberSchema>

const memberView = (member: Member): MemberView => ({
  id: member.userId,
  name: member.name,
  email: member.email,
  role: member.role,
  has_two_factor: member.hasSecondFactor,
  keys: member.keys,
  joined_at: isoMicroseconds(member.joinedAtUs),
  last_active_at: isoOrNull(member.lastActiveAtUs),
})

const invitationSchema = z.strictObject({
  id: z.int(),
  email: z.string(),
  role,
  invited_by: z.string().nullable(),
  created_at: timestamp(),
  expires_at: timestamp(),
})
type PendingInvitationView = z.infer<typeof invitationSchema>

const invitationView = (invitation: PendingInvitation): PendingInvitationView => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy,
  created_at: isoMicroseconds(invitation.createdAtUs),
  expires_at: isoMicroseconds(invitation.expiresAtUs),
})

/** Members of the current workspace, and invitations into it. */
export const memberEndpoints = [
  endpoint({
    route: 'GET /members',
    who: 'session',
    role: 'members:manage',
    answer: { message: 'Members retrieved.', data: z.array(memberSchema) },
    run: async ({ caller }, deps) => ({ data: (await listMembers(deps, caller)).map(memberView) }),
  }),
  endpoint({
    route: 'GET /members/names',
    who: 'session',
    role: 'links:read',
    description: 'For everybody who sees links: who may have created them.',
    answer: {
      message: 'Members retrieved.',
      data: z.array(z.strictObject({ id: z.int(), name: z.string() })),
    },
    run: async ({ caller }, deps) => ({ data: await listMemberNames(deps, caller) }),
  }),
  endpoint({
    route: 'PUT /members/{id}',
    who: 'session',
    role: 'members:manage',
    input: body(memberRole),
    answer: { message: 'Role changed.' },
    async run({ caller, params, input }, deps) {
      await changeMemberRole(deps, caller, { userId: idOf(params), role: input.role })
    },
  }),
  endpoint({
    route: 'DELETE /members/{id}',
    who: 'session',
    role: 'members:manage',
    input: body(z.object({ keep_keys: trueOrFalse.default(false) })),
    answer: { message: 'Member removed.' },
    async run({ caller, params, input }, deps) {
      await removeMember(deps, caller, { userId: idOf(params), keepsKeys: input.keep_keys })
    },
  }),
  endpoint({
    route: 'GET /members/invitations',
    who: 'session',
    role: 'members:manage',
    answer: { message: 'Invitations retrieved.', data: z.array(invitationSchema) },
    run: async ({ caller }, deps) => ({
      data: (await listWorkspaceInvitations(deps, caller)).map(invitationView),
    }),
  }),
  endpoint({
    route: 'POST /members/invitations',
    who: 'session',
    role: 'members:manage',
    input: body(newInvitations),
    answer: {
      status: 201,
      message: 'Invitations sent.',
      data: z.array(z.strictObject({ email: z.string(), outcome: z.enum(['invited', 'member', 'pending']) })),
    },
    run: async ({ caller, input, ip }, deps) => ({
      data: await inviteMembers(countingMails(deps, ip), caller, input),
    }),
  }),
  endpoint({
    route: 'POST /members/invitations/{id}/link',
    who: 'session',
    role: 'members:manage',
    description: 'A new link, for the inviter to pass on. Shown once.',
    answer: {
      status: 201,
      message: 'Link created. Earlier links of this invitation stop working.',
      data: z.strictObject({ link: z.string(), expires_at: timestamp() }),
    },
    async run({ caller, params }, deps) {
      const { href, expiresAtUs } = await copyInvitation(deps, caller, idOf(params))
      return { data: { link: href, expires_at: isoMicroseconds(expiresAtUs) } }
    },
  }),
  endpoint({
    route: 'POST /members/invitations/{id}/send',
    who: 'session',
    role: 'members:manage',
    answer: { message: 'Invitation sent.' },
    async run({ caller, params, ip }, deps) {
      await sendInvitationAgain(countingMails(deps, ip), caller, idOf(params))
    },
  }),
  endpoint({
    route: 'DELETE /members/invitations/{id}',
    who: 'session',
    role: 'members:manage',
    answer: { message: 'Invitation revoked.' },
    async run({ caller, params }, deps) {
      await withdrawWorkspaceInvitation(deps, caller, idOf(params))
    },
  }),
  endpoint({
    route: 'POST /invitations/accept',
    who: 'session',
    role: 'verified',
    input: body(z.object({ token: comparedText })),
    answer: { message: 'You are a member now.', data: z.strictObject({ workspace_id: z.int() }) },
    async run({ caller, input, ip }, deps) {
      deps.limits.secret(ip)
      return { data: { workspace_id: await acceptInvitation(deps, caller, input.token) } }
    },
  }),
]
