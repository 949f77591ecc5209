import { validated } from '../../errors/field-errors.ts'
import { emailBody } from '../../users/email.ts'
import {
  invite,
  type Invitation,
  listInvitations,
  withdrawInvitation,
} from '../../users/sign-up/invitations.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import {
  type BlockedHost,
  blockHost,
  listBlockedHosts,
  newBlockedHost,
  unblockHost,
} from '../../links/destinations/block-host.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { BlockedHostView, InvitationView } from './types/operator-types.ts'
import { managedUserEndpoints } from './managed-user-endpoints.ts'
import { managedWorkspaceEndpoints } from './managed-workspace-endpoints.ts'
import { idOf } from '../requests/path-id.ts'
import type { DashboardDeps } from './dashboard-deps.ts'

export function operatorEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    ...managedUserEndpoints(deps),
    ...managedWorkspaceEndpoints(deps),
    ...blockedHostEndpoints(deps),
    ...invitationEndpoints(deps),
  ]
}

function blockedHostEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /admin/blocked-hosts', 'operator', async () => ({
      message: 'Blocked hosts retrieved.',
      data: (await listBlockedHosts(deps.db)).map(blockedHostView),
    })),
    endpoint('POST /admin/blocked-hosts', 'operator', async ({ input }) => {
      const blocked = await blockHost(deps, validated(newBlockedHost, input))
      return { status: 201, message: 'Host blocked.', data: blockedHostView(blocked) }
    }),
    endpoint('DELETE /admin/blocked-hosts/{host}', 'operator', async ({ params }) => {
      await unblockHost(deps, params.host!)
      return { message: 'Host unblocked.' }
    }),
  ]
}

const blockedHostView = ({ host, reason, blockedAtUs }: BlockedHost): BlockedHostView => ({
  host,
  reason,
  blocked_at: isoMicroseconds(blockedAtUs),
})

function invitationEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /admin/invitations', 'operator', async () => ({
      message: 'Invitations retrieved.',
      data: (await listInvitations(deps)).map(invitationView),
    })),
    endpoint('POST /admin/invitations', 'operator', async ({ input }) => {
      const invitation = await invite(deps, validated(emailBody, input).email)
      const link = deps.config.smtpUrl === undefined ? invitation.href : null
      return { status: 201, message: 'Invitation sent.', data: { ...invitationView(invitation), link } }
    }),
    endpoint('DELETE /admin/invitations/{id}', 'operator', async ({ params }) => {
      await withdrawInvitation(deps.db, idOf(params))
      return { message: 'Invitation revoked.' }
    }),
  ]
}

const invitationView = ({ id, email, createdAtUs, expiresAtUs }: Invitation): InvitationView => ({
  id,
  email,
  created_at: isoMicroseconds(createdAtUs),
  expires_at: isoMicroseconds(expiresAtUs),
})
