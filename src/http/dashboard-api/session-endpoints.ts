import type { SignedInCaller } from '../../access/caller.ts'
import { readEmail } from '../../users/email.ts'
import { accountOf } from '../../users/find-account.ts'
import { passkeySignInOptions, signInByPasskey } from '../../users/second-factor/passkey-sign-in.ts'
import { listPasskeys } from '../../users/second-factor/passkeys.ts'
import { DEFAULT_PLAN, hasPlans, hourlyAllowance, limitOrNull } from '../../workspaces/plans.ts'
import { countRecoveryCodes } from '../../users/second-factor/recovery-codes.ts'
import { endAllSessions, endSession, listSessions } from '../../users/sign-in/session.ts'
import { signIn } from '../../users/sign-in/sign-in.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { type DashboardEndpoint, endpoint, openEndpoint } from './dashboard-endpoint.ts'
import type { MeView } from './dashboard-types.ts'
import { idOf } from './path-id.ts'
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
    endpoint('GET /session', 'signed-in', async ({ caller }) => ({
      message: 'Account retrieved.',
      data: await meView(db, caller),
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

export async function meView(db: CurrentDb, caller: SignedInCaller): Promise<MeView> {
  const account = await accountOf(db, caller)
  return {
    id: account.userId,
    name: account.name,
    email: account.email,
    is_verified: account.emailVerifiedAtUs !== null,
    role: account.role,
    plan: account.plan,
    has_plans: account.plan !== DEFAULT_PLAN || (account.role === 'admin' && (await hasPlans(db))),
    requests_per_hour: limitOrNull(hourlyAllowance(account)),
    subscription: {
      status: account.subscriptionStatus,
      expires_at: isoOrNull(account.subscriptionExpiresAtUs),
    },
    created_at: isoMicroseconds(account.createdAtUs),
    security: {
      has_two_factor: account.hasSecondFactor,
      recovery_codes_left: await countRecoveryCodes(db, caller.userId),
      passkeys: (await listPasskeys(db, caller.userId)).length,
    },
  }
}
