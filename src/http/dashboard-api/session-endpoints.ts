import { readEmail } from '../../accounts/email.ts'
import { accountById } from '../../accounts/find-account.ts'
import { passkeySignInOptions, signInByPasskey } from '../../accounts/passkey-sign-in.ts'
import { listPasskeys } from '../../accounts/passkeys.ts'
import { DEFAULT_PLAN, hasPlans, hourlyAllowance, limitOrNull } from '../../accounts/plans.ts'
import { countRecoveryCodes } from '../../accounts/recovery-codes.ts'
import { endAllSessions, endSession, listSessions } from '../../accounts/session.ts'
import { signIn } from '../../accounts/sign-in.ts'
import { isoMicroseconds, isoOrNull } from '../../clock.ts'
import type { Db } from '../../store/open-store.ts'
import { type DashboardEndpoint, endpoint, openEndpoint } from './dashboard-endpoint.ts'
import type { MeView } from './dashboard-types.ts'
import { idOf } from './path-id.ts'
import type { PeopleDeps } from './people-deps.ts'

/** Signing in and out, here and everywhere. */
export function sessionEndpoints(deps: PeopleDeps): DashboardEndpoint[] {
  return [...signInEndpoints(deps), ...signedInEndpoints(deps)]
}

function signInEndpoints(deps: PeopleDeps): DashboardEndpoint[] {
  const { limits } = deps
  return [
    openEndpoint('POST /session', async ({ input, ip, device }) => {
      const { email, password, code } = input
      const outcome = await limits.guess(
        { ip, owner: readEmail(email) },
        () => signIn(deps, { email, password, code, device }),
        // Half of it was right: otherwise the password alone would buy another five tries at the code.
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

function signedInEndpoints(deps: PeopleDeps): DashboardEndpoint[] {
  const { db } = deps
  return [
    endpoint('GET /session', 'signed-in', async ({ caller }) => ({
      message: 'Account retrieved.',
      data: await meView(db, caller.accountId),
    })),
    endpoint('DELETE /session', 'signed-in', async ({ session }) => {
      await endSession(db, { accountId: session.accountId, sessionId: session.id })
      return { message: 'Signed out.', sessionToken: null }
    }),
    endpoint('GET /sessions', 'signed-in', async ({ session }) => {
      const sessions = await listSessions(deps, session.accountId)
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
      await endAllSessions(db, session.accountId)
      return { message: 'Signed out everywhere.', sessionToken: null }
    }),
    endpoint('DELETE /sessions/{id}', 'signed-in', async ({ session, params }) => {
      await endSession(db, { accountId: session.accountId, sessionId: idOf(params) })
      return { message: 'Signed out there.' }
    }),
  ]
}

export async function meView(db: Db, accountId: number): Promise<MeView> {
  const account = await accountById(db, accountId)
  return {
    id: account.id,
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
      recovery_codes_left: await countRecoveryCodes(db, accountId),
      passkeys: (await listPasskeys(db, accountId)).length,
    },
  }
}
