import { validated } from '../../errors/field-errors.ts'
import { emailBody } from '../../users/email.ts'
import { nameBody } from '../../users/sign-up/create-account.ts'
import { readSecret } from '../../users/tokens/secret-text.ts'
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
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { PasskeyView } from './types/account-types.ts'
import { idOf } from '../requests/path-id.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { proven } from './proven-change.ts'
import { meView } from './session-endpoints.ts'

/** A user's own security settings. For most of them the user proves again who they are, with a limit on attempts. */
export function securityEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [...accountEndpoints(deps), ...twoFactorEndpoints(deps), ...passkeyEndpoints(deps)]
}

function accountEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('PUT /account', 'signed-in', async ({ session, caller, input }) => {
      await changeName(deps, caller, validated(nameBody, input).name)
      return { message: 'Account updated.', data: await meView(deps, session) }
    }),
    endpoint('POST /account/email', 'signed-in', async (request) => {
      const { caller, input, ip } = request
      const counting = { ...deps, countMail: deps.limits.mailsFrom(ip) }
      await proven(deps, request, async (proof) => {
        const { email } = validated(emailBody, input)
        await requestEmailChange(counting, caller.userId, { email, proof })
      })
      return { message: 'We sent an email to the new address.' }
    }),
    endpoint('POST /account/password', 'signed-in', async (request) => {
      const { caller, input, device } = request
      const change = { newPassword: readSecret(input.new_password), device }
      const sessionToken = await proven(deps, request, (proof) =>
        changePassword(deps, caller.userId, { ...change, proof }),
      )
      return { message: 'Your password was changed. All other browsers are signed out.', sessionToken }
    }),
    endpoint('DELETE /account', 'signed-in', async (request) => {
      await proven(deps, request, (proof) => closeAccount(deps, request.caller, proof))
      return { message: 'Account deleted.', sessionToken: null }
    }),
  ]
}

function twoFactorEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('POST /two-factor', 'verified', async (request) => {
      const { userId } = request.caller
      const data = await proven(deps, request, (proof) => startTwoFactor(deps, userId, proof))
      return { message: 'Enter a code from your authenticator app to enable it.', data }
    }),
    endpoint('POST /two-factor/confirm', 'verified', async (request) => {
      const { caller, input, ip } = request
      const { userId } = caller
      const codes = await deps.limits.guess({ ip, owner: userId }, () =>
        confirmTwoFactor(deps, userId, input.code),
      )
      return { message: 'Two-factor sign-in is enabled.', data: { recovery_codes: codes } }
    }),
    endpoint('POST /two-factor/recovery-codes', 'verified', async (request) => {
      const { userId } = request.caller
      const codes = await proven(deps, request, (proof) => renewRecoveryCodes(deps, userId, proof))
      return { message: 'New recovery codes created.', data: { recovery_codes: codes } }
    }),
    endpoint('DELETE /two-factor', 'verified', async (request) => {
      const { caller, device } = request
      await proven(deps, request, (proof) => stopTwoFactor(deps, caller.userId, { proof, device }))
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
      const { userId } = request.caller
      const data = await proven(deps, request, (proof) => passkeyOptions(deps, userId, proof))
      return { message: 'Options created.', data }
    }),
    endpoint('POST /passkeys', 'verified', async ({ caller, input, device }) => {
      const { name } = validated(nameBody, input)
      const { response } = input
      const passkey = await addPasskey(deps, caller.userId, { name, response, device })
      return { status: 201, message: 'Passkey added.', data: passkeyView(passkey) }
    }),
    endpoint('DELETE /passkeys/{id}', 'verified', async (request) => {
      const { caller, params } = request
      const passkeyId = idOf(params)
      await proven(deps, request, (proof) => removePasskey(deps, caller.userId, { passkeyId, proof }))
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
