import {
  invite,
  type Invitation,
  listInvitations,
  withdrawInvitation,
} from '../../users/sign-up/invitations.ts'
import {
  browseAccounts,
  changeAccount,
  type ManagedAccount,
  reinstateAccount,
  suspendAccount,
} from '../../operator/manage-accounts.ts'
import { hourlyAllowance, limitOrNull } from '../../workspaces/plans.ts'
import { makeResetLinkFor } from '../../users/password/reset-link.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import {
  type BlockedHost,
  blockHost,
  listBlockedHosts,
  unblockHost,
} from '../../links/destinations/block-host.ts'
import { Refusal } from '../../errors/refusal.ts'
import { readTogether } from '../api/endpoints/read-together.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { BlockedHostView, InvitationView, ManagedAccountView } from './dashboard-types.ts'
import { listReaders, pageMeta } from '../requests/paged-list.ts'
import { idOf } from './path-id.ts'
import type { DashboardDeps } from './dashboard-deps.ts'

export function operatorEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [...accountsEndpoints(deps), ...blockedHostEndpoints(deps), ...invitationEndpoints(deps)]
}

function accountsEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /admin/accounts', 'operator', async ({ query }) => {
      const page = readTogether(listReaders(query))
      const { accounts, total } = await browseAccounts(deps.db, page)
      return {
        message: 'Accounts retrieved.',
        data: accounts.map(managedAccountView),
        meta: pageMeta(page, total),
      }
    }),
    endpoint('PUT /admin/accounts/{id}', 'operator', async ({ params, input }) => {
      await changeAccount(deps, idOf(params), {
        plan: input.plan,
        rateLimit: input.rate_limit,
        role: input.role,
        isVerified: input.is_verified,
      })
      return { message: 'Account updated.' }
    }),
    endpoint('POST /admin/accounts/{id}/suspend', 'operator', async ({ params }) => {
      await suspendAccount(deps, idOf(params))
      return { message: 'Account suspended.' }
    }),
    endpoint('POST /admin/accounts/{id}/reinstate', 'operator', async ({ params }) => {
      await reinstateAccount(deps, idOf(params))
      return { message: 'Account reinstated.' }
    }),
    resetLinkEndpoint(deps),
  ]
}

function resetLinkEndpoint(deps: DashboardDeps): DashboardEndpoint {
  return endpoint(
    'POST /admin/accounts/{id}/reset-link',
    'operator',
    async ({ params, input, ip, caller }) => {
      if (deps.config.smtpUrl !== undefined) {
        throw new Refusal('conflict', 'This server sends email: people request the link where they sign in.')
      }
      const asked = { userId: idOf(params), password: input.password }
      const link = await deps.limits.guess({ ip, owner: caller.userId }, () =>
        makeResetLinkFor(deps, caller.userId, asked),
      )
      const data = { email: link.email, link: link.href, expires_at: isoMicroseconds(link.expiresAtUs) }
      return { status: 201, message: 'Reset link created. It is shown this once.', data }
    },
  )
}

const managedAccountView = (account: ManagedAccount): ManagedAccountView => ({
  id: account.userId,
  name: account.name,
  email: account.email,
  is_verified: account.emailVerifiedAtUs !== null,
  role: account.role,
  plan: account.plan,
  rate_limit: account.rateLimit,
  requests_per_hour: limitOrNull(hourlyAllowance(account)),
  is_suspended: account.suspendedAtUs !== null,
  has_two_factor: account.hasSecondFactor,
  links: account.links,
  clicks: account.clicks,
  created_at: isoMicroseconds(account.createdAtUs),
  last_signed_in_at: isoOrNull(account.lastSignedInAtUs),
})

function blockedHostEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /admin/blocked-hosts', 'operator', async () => ({
      message: 'Blocked hosts retrieved.',
      data: (await listBlockedHosts(deps.db)).map(blockedHostView),
    })),
    endpoint('POST /admin/blocked-hosts', 'operator', async ({ input }) => {
      const blocked = await blockHost(deps, { host: input.host, reason: input.reason })
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
      const invitation = await invite(deps, input.email)
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
