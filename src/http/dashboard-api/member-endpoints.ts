import { acceptInvitation } from '../../users/members/join-workspace.ts'
import { listMemberNames, listMembers, type Member } from '../../users/members/list-members.ts'
import { changeMemberRole, removeMember } from '../../users/members/member-changes.ts'
import {
  copyInvitation,
  inviteMembers,
  listWorkspaceInvitations,
  type PendingInvitation,
  sendInvitationAgain,
  withdrawWorkspaceInvitation,
} from '../../users/members/workspace-invitations.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { idOf } from '../requests/path-id.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { MemberView, PendingInvitationView } from './types/workspace-types.ts'

/** Members of the current workspace, and invitations into it. */
export function memberEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /members', 'members:manage', async ({ caller }) => ({
      message: 'Members retrieved.',
      data: (await listMembers(deps, caller)).map(memberView),
    })),
    endpoint('GET /members/names', 'links:read', async ({ caller }) => ({
      message: 'Members retrieved.',
      data: await listMemberNames(deps, caller),
    })),
    endpoint('PUT /members/{id}', 'members:manage', async ({ caller, params, input }) => {
      await changeMemberRole(deps, caller, { userId: idOf(params), role: input.role })
      return { message: 'Role changed.' }
    }),
    endpoint('DELETE /members/{id}', 'members:manage', async ({ caller, params, input }) => {
      await removeMember(deps, caller, { userId: idOf(params), keepsKeys: input.keep_keys === true })
      return { message: 'Member removed.' }
    }),
    ...invitationEndpoints(deps),
  ]
}

function invitationEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { limits } = deps
  const counting = (ip: string) => ({ ...deps, countMail: limits.mailsFrom(ip) })
  return [
    endpoint('GET /members/invitations', 'members:manage', async ({ caller }) => ({
      message: 'Invitations retrieved.',
      data: (await listWorkspaceInvitations(deps, caller)).map(pendingView),
    })),
    endpoint('POST /members/invitations', 'members:manage', async ({ caller, input, ip }) => {
      const { emails, role } = input
      const data = await inviteMembers(counting(ip), caller, { emails, role })
      return { status: 201, message: 'Invitations sent.', data }
    }),
    endpoint('POST /members/invitations/{id}/link', 'members:manage', async ({ caller, params }) => {
      const { href, expiresAtUs } = await copyInvitation(deps, caller, idOf(params))
      const data = { link: href, expires_at: isoMicroseconds(expiresAtUs) }
      return { status: 201, message: 'Link created. Earlier links of this invitation stop working.', data }
    }),
    endpoint('POST /members/invitations/{id}/send', 'members:manage', async ({ caller, params, ip }) => {
      await sendInvitationAgain(counting(ip), caller, idOf(params))
      return { message: 'Invitation sent.' }
    }),
    endpoint('DELETE /members/invitations/{id}', 'members:manage', async ({ caller, params }) => {
      await withdrawWorkspaceInvitation(deps, caller, idOf(params))
      return { message: 'Invitation revoked.' }
    }),
    endpoint('POST /invitations/accept', 'verified', async ({ caller, input, ip }) => {
      limits.secret(ip)
      const workspaceId = await acceptInvitation(deps, caller, input.token)
      return { message: 'You are a member now.', data: { workspace_id: workspaceId } }
    }),
  ]
}

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

const pendingView = (invitation: PendingInvitation): PendingInvitationView => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy,
  created_at: isoMicroseconds(invitation.createdAtUs),
  expires_at: isoMicroseconds(invitation.expiresAtUs),
})
