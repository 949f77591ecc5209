import { requestEmailChange } from '../../users/profile/change-email.ts'
import { changeName } from '../../users/profile/change-name.ts'
import { changePassword } from '../../users/password/change-password.ts'
import { closeAccount } from '../../users/profile/close-account.ts'
import {
  addPasskey,
  listPasskeys,
  type Passkey,
  passkeyOptions,
  removePasskey,
} from '../../users/second-factor/passkeys.ts'
import {
  confirmTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
  stopTwoFactor,
} from '../../users/second-factor/two-factor.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { type DashboardEndpoint, endpoint, type SignedInRequest } from './dashboard-endpoint.ts'
import type { PasskeyView } from './dashboard-types.ts'
import { idOf } from './path-id.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { meView } from './session-endpoints.ts'

/** A user's own security settings. Most of them ask for the password again, with a limit on attempts. */
export function securityEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [...accountEndpoints(deps), ...twoFactorEndpoints(deps), ...passkeyEndpoints(deps)]
}

/** The same delay as for signing in, so that an unlocked screen is no faster way to guess. */
const guarded = ({ limits }: DashboardDeps, { ip, caller }: SignedInRequest) => {
  return <Value>(work: () => Promise<Value>) => limits.guess({ ip, owner: caller.userId }, work)
}

function accountEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('PUT /account', 'signed-in', async ({ caller, input }) => {
      await changeName(deps.db, caller.userId, input.name)
      return { message: 'Account updated.', data: await meView(deps.db, caller) }
    }),
    endpoint('POST /account/email', 'signed-in', async (request) => {
      const { caller, input, ip } = request
      const { email, password } = input
      const counting = { ...deps, countMail: deps.limits.mailsFrom(ip) }
      await guarded(deps, request)(() => requestEmailChange(counting, caller.userId, { email, password }))
      return { message: 'We sent an email to the new address.' }
    }),
    endpoint('POST /account/password', 'signed-in', async (request) => {
      const { caller, input, device } = request
      const change = { password: input.password, newPassword: input.new_password, device }
      const sessionToken = await guarded(deps, request)(() => changePassword(deps, caller.userId, change))
      return { message: 'Your password was changed. All other browsers are signed out.', sessionToken }
    }),
    endpoint('DELETE /account', 'signed-in', async (request) => {
      const { caller, input } = request
      await guarded(deps, request)(() => closeAccount(deps, caller.userId, input.password))
      return { message: 'Account deleted.', sessionToken: null }
    }),
  ]
}

function twoFactorEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('POST /two-factor', 'verified', async (request) => {
      const { caller, input } = request
      const data = await guarded(deps, request)(() => startTwoFactor(deps, caller.userId, input.password))
      return { message: 'Enter a code from your authenticator app to enable it.', data }
    }),
    endpoint('POST /two-factor/confirm', 'verified', async (request) => {
      const { caller, input } = request
      const codes = await guarded(deps, request)(() => confirmTwoFactor(deps, caller.userId, input.code))
      return { message: 'Two-factor sign-in is enabled.', data: { recovery_codes: codes } }
    }),
    endpoint('POST /two-factor/recovery-codes', 'verified', async (request) => {
      const { caller, input } = request
      const codes = await guarded(
        deps,
        request,
      )(() => renewRecoveryCodes(deps, caller.userId, input.password))
      return { message: 'New recovery codes created.', data: { recovery_codes: codes } }
    }),
    endpoint('DELETE /two-factor', 'verified', async (request) => {
      const { caller, input, device } = request
      const stop = { password: input.password, device }
      await guarded(deps, request)(() => stopTwoFactor(deps, caller.userId, stop))
      return { message: 'Two-factor sign-in is disabled.' }
    }),
  ]
}

function passkeyEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /passkeys', 'verified', async ({ caller }) => ({
      message: 'Passkeys retrieved.',
      data: (await listPasskeys(deps.db, caller.userId)).map(passkeyView),
    })),
    endpoint('POST /passkeys/options', 'verified', async (request) => {
      const { caller, input } = request
      const data = await guarded(deps, request)(() => passkeyOptions(deps, caller.userId, input.password))
      return { message: 'Options created.', data }
    }),
    endpoint('POST /passkeys', 'verified', async ({ caller, input, device }) => {
      const { name, response } = input
      const passkey = await addPasskey(deps, caller.userId, { name, response, device })
      return { status: 201, message: 'Passkey added.', data: passkeyView(passkey) }
    }),
    endpoint('DELETE /passkeys/{id}', 'verified', async (request) => {
      const { caller, input, params } = request
      const removal = { passkeyId: idOf(params), password: input.password }
      await guarded(deps, request)(() => removePasskey(deps, caller.userId, removal))
      return { message: 'Passkey removed.' }
    }),
  ]
}

const passkeyView = ({ id, name, createdAtUs, lastUsedAtUs }: Passkey): PasskeyView => ({
  id,
  name,
  created_at: isoMicroseconds(createdAtUs),
  last_used_at: isoOrNull(lastUsedAtUs),
})
