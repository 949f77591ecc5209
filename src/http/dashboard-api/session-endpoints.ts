import { DEFAULT_PLAN } from '../../access/plan-names.ts'
import { actionsOf } from '../../access/roles-and-scopes.ts'
import { readEmail } from '../../users/email.ts'
import { accountOf } from '../../users/find-account.ts'
import { passkeySignInOptions, signInByPasskey } from '../../users/second-factor/passkey-sign-in.ts'
import { listPasskeys } from '../../users/second-factor/passkeys.ts'
import { hasPlans, hourlyAllowance, limitOrNull } from '../../workspaces/plans.ts'
import { countRecoveryCodes } from '../../users/second-factor/recovery-codes.ts'
import { workspacesOf, type WorkspaceOfUser } from '../../users/members/workspaces-of-user.ts'
import { endAllSessions, endSession, listSessions, type Session } from '../../users/sign-in/session.ts'
import { signIn } from '../../users/sign-in/sign-in.ts'
import type { Config } from '../../config/config.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { linkLimitOf } from '../../links/link-limit.ts'
import { linkCounts } from '../../links/lists/count-links.ts'
import { noSuchWorkspace } from '../../workspaces/workspace.ts'
import { type Clock, isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { type DashboardEndpoint, endpoint, openEndpoint } from './dashboard-endpoint.ts'
import type { MeView } from './types/account-types.ts'
import type { WorkspacesView, WorkspaceView } from './types/workspace-types.ts'
import { idOf } from '../requests/path-id.ts'
import type { DashboardDeps } from './dashboard-deps.ts'

export function sessionEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [...signInEndpoints(deps), ...signedInEndpoints(deps)]
}

function signInEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { limits } = deps
  return [
    openEndpoint('POST /session', async ({ input, ip, device }) => {
      const { email, password, code } = input
      const outcome = await limits.guess(
        { ip, owner: readEmail(email) },
        () => signIn(deps, { email, password, code, device }),
        // Otherwise a correct password would reset the delay for wrong codes.
        (value) => value !== 'needs-code',
      )
      if (outcome === 'needs-code') {
        return {
          message: 'A code from your authenticator app is required.',
          data: { is_signed_in: false, needs_code: true },
        }
      }
      return {
        message: 'Signed in.',
        data: { is_signed_in: true, needs_code: false },
        sessionToken: outcome.token,
      }
    }),
    openEndpoint('POST /session/passkey/options', async ({ ip }) => {
      limits.secret(ip)
      return { message: 'Options created.', data: await passkeySignInOptions(deps) }
    }),
    openEndpoint('POST /session/passkey', async ({ input, ip, device }) => {
      limits.secret(ip)
      const sessionToken = await signInByPasskey(deps, { response: input.response, device })
      return {
        message: 'Signed in.',
        data: { is_signed_in: true, needs_code: false },
        sessionToken,
      }
    }),
  ]
}

function signedInEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { db } = deps
  return [
    endpoint('GET /session', 'signed-in', async ({ session }) => ({
      message: 'Account retrieved.',
      data: await meView(deps, session),
    })),
    endpoint('DELETE /session', 'signed-in', async ({ session }) => {
      await endSession(db, { userId: session.userId, sessionId: session.id })
      return { message: 'Signed out.', sessionToken: null }
    }),
    endpoint('GET /sessions', 'signed-in', async ({ session }) => {
      const sessions = await listSessions(deps, session.userId)
      return {
        message: 'Sessions retrieved.',
        data: sessions.map(({ id, device, createdAtUs, lastUsedAtUs }) => ({
          id,
          device,
          created_at: isoMicroseconds(createdAtUs),
          last_used_at: isoMicroseconds(lastUsedAtUs),
          is_this_one: id === session.id,
        })),
      }
    }),
    endpoint('DELETE /sessions', 'signed-in', async ({ session }) => {
      await endAllSessions(db, session.userId)
      return { message: 'Signed out everywhere.', sessionToken: null }
    }),
    endpoint('DELETE /sessions/{id}', 'signed-in', async ({ session, params }) => {
      await endSession(db, { userId: session.userId, sessionId: idOf(params) })
      return { message: 'Signed out there.' }
    }),
  ]
}

export type MeDeps = {
  db: CurrentDb
  clock: Clock
  domains: Pick<Domains, 'hostsForNewLinks'>
  config: Pick<Config, 'linksMax'>
}

export async function meView(deps: MeDeps, session: Session): Promise<MeView> {
  const { db } = deps
  const account = await accountOf(db, session)
  return {
    ...(await workspacesView(deps, session)),
    id: account.userId,
    name: account.name,
    email: account.email,
    is_verified: account.emailVerifiedAtUs !== null,
    role: account.role,
    plan: account.plan,
    has_plans: account.plan !== DEFAULT_PLAN || (account.role === 'admin' && (await hasPlans(db))),
    requests_per_hour: limitOrNull(hourlyAllowance(account)),
    links: await limitedLinks(deps, session.workspaceId),
    subscription: {
      status: account.subscriptionStatus,
      expires_at: isoOrNull(account.subscriptionExpiresAtUs),
    },
    created_at: isoMicroseconds(account.createdAtUs),
    security: {
      has_password: account.hasPassword,
      has_two_factor: account.hasSecondFactor,
      recovery_codes_left: await countRecoveryCodes(db, session.userId),
      passkeys: (await listPasskeys(db, session.userId)).length,
      confirmed_until: isoOrNull(session.confirmedUntilUs),
    },
  }
}

async function workspacesView(
  deps: MeDeps,
  { userId, workspaceId, memberRole, lacksSecondFactor }: Session,
): Promise<WorkspacesView> {
  const own = await workspacesOf(deps, userId)
  const current = own.find(({ id }) => id === workspaceId)
  if (current === undefined) throw noSuchWorkspace()
  return {
    workspace: workspaceView(current),
    workspaces: own.map(workspaceView),
    domains: deps.domains.hostsForNewLinks(workspaceId),
    is_alone: own.length === 1 && current.members === 1 && current.invitations === 0,
    can: lacksSecondFactor ? [] : actionsOf(memberRole),
    needs_two_factor: lacksSecondFactor,
  }
}

const workspaceView = ({
  id,
  name,
  role,
  members,
  requiresSecondFactor,
}: WorkspaceOfUser): WorkspaceView => ({
  ...{ id, name, role, members },
  requires_second_factor: requiresSecondFactor,
})

async function limitedLinks(
  { db, config: { linksMax } }: MeDeps,
  workspaceId: number,
): Promise<MeView['links']> {
  const max = await linkLimitOf({ db, linksMax }, workspaceId)
  return max === null ? null : { count: (await linkCounts(db, workspaceId)).links, max }
}
