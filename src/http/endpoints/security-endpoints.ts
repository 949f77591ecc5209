import { z } from '@hono/zod-openapi'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { emailBody } from '../../users/email.ts'
import { changePassword } from '../../users/password/change-password.ts'
import { passwordField } from '../../users/password/password.ts'
import { requestEmailChange } from '../../users/profile/change-email.ts'
import { changeName } from '../../users/profile/change-name.ts'
import { closeAccount } from '../../users/profile/close-account.ts'
import {
  addPasskey,
  listPasskeys,
  newPasskey,
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
import { proofBody } from '../../users/sign-in/reauthenticate.ts'
import { nameBody } from '../../users/sign-up/create-account.ts'
import { comparedText } from '../../validation/field-rules.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { proven } from '../dispatch/proven-change.ts'
import { countingMails } from '../dispatch/server-deps.ts'
import { idOf } from '../requests/read-request.ts'
import { meSchema, meView } from './me-view.ts'
import { timestamp } from './schemas.ts'

const accountEndpoints = [
  endpoint({
    route: 'PUT /account',
    who: 'session',
    role: 'signed-in',
    input: body(nameBody),
    answer: { message: 'Account updated.', data: meSchema },
    async run({ session, caller, input }, deps) {
      await changeName(deps, caller, input.name)
      return { data: await meView(deps, session) }
    },
  }),
  endpoint({
    route: 'POST /account/email',
    who: 'session',
    role: 'signed-in',
    input: body(proofBody.extend(emailBody.shape)),
    answer: { message: 'We sent an email to the new address.' },
    async run(request, deps) {
      const { caller, input, ip } = request
      await proven(deps, request, (proof) =>
        requestEmailChange(countingMails(deps, ip), caller.userId, { email: input.email, proof }),
      )
    },
  }),
  endpoint({
    route: 'POST /account/password',
    who: 'session',
    role: 'signed-in',
    input: body(proofBody.extend({ new_password: passwordField })),
    answer: { message: 'Your password was changed. All other browsers are signed out.' },
    async run(request, deps) {
      const { caller, input, device } = request
      const change = { newPassword: input.new_password, device }
      const sessionToken = await proven(deps, request, (proof) =>
        changePassword(deps, caller.userId, { ...change, proof }),
      )
      return { sessionToken }
    },
  }),
  endpoint({
    route: 'DELETE /account',
    who: 'session',
    role: 'signed-in',
    input: body(proofBody),
    answer: { message: 'Account deleted.' },
    async run(request, deps) {
      await proven(deps, request, (proof) => closeAccount(deps, request.caller, proof))
      return { sessionToken: null }
    },
  }),
]

const recoveryCodesSchema = z.strictObject({
  recovery_codes: z.array(z.string()).meta({ description: 'Shown only once; earlier ones stop working.' }),
})

const twoFactorEndpoints = [
  endpoint({
    route: 'POST /two-factor',
    who: 'session',
    role: 'verified',
    input: body(proofBody),
    answer: {
      message: 'Enter a code from your authenticator app to enable it.',
      data: z.strictObject({ secret: z.string(), uri: z.string().meta({ description: 'For a QR code.' }) }),
    },
    async run(request, deps) {
      const { userId } = request.caller
      return { data: await proven(deps, request, (proof) => startTwoFactor(deps, userId, proof)) }
    },
  }),
  endpoint({
    route: 'POST /two-factor/confirm',
    who: 'session',
    role: 'verified',
    input: body(z.object({ code: comparedText })),
    answer: { message: 'Two-factor sign-in is enabled.', data: recoveryCodesSchema },
    async run({ caller: { userId }, input, ip }, deps) {
      const confirm = () => confirmTwoFactor(deps, userId, input.code)
      return { data: { recovery_codes: await deps.limits.guess({ ip, owner: userId }, confirm) } }
    },
  }),
  endpoint({
    route: 'POST /two-factor/recovery-codes',
    who: 'session',
    role: 'verified',
    input: body(proofBody),
    answer: { message: 'New recovery codes created.', data: recoveryCodesSchema },
    async run(request, deps) {
      const { userId } = request.caller
      const codes = await proven(deps, request, (proof) => renewRecoveryCodes(deps, userId, proof))
      return { data: { recovery_codes: codes } }
    },
  }),
  endpoint({
    route: 'DELETE /two-factor',
    who: 'session',
    role: 'verified',
    input: body(proofBody),
    answer: { message: 'Two-factor sign-in is disabled.' },
    async run(request, deps) {
      const { caller, device } = request
      await proven(deps, request, (proof) => stopTwoFactor(deps, caller.userId, { proof, device }))
    },
  }),
]

const passkeySchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  created_at: timestamp(),
  last_used_at: timestamp().nullable(),
})
export type PasskeyView = z.infer<typeof passkeySchema>

const passkeyView = ({ id, name, createdAtUs, lastUsedAtUs }: Passkey): PasskeyView => ({
  id,
  name,
  created_at: isoMicroseconds(createdAtUs),
  last_used_at: isoOrNull(lastUsedAtUs),
})

const passkeyEndpoints = [
  endpoint({
    route: 'GET /passkeys',
    who: 'session',
    role: 'verified',
    answer: { message: 'Passkeys retrieved.', data: z.array(passkeySchema) },
    run: async ({ caller }, { db }) => ({ data: (await listPasskeys(db, caller.userId)).map(passkeyView) }),
  }),
  endpoint({
    route: 'POST /passkeys/options',
    who: 'session',
    role: 'verified',
    input: body(proofBody),
    answer: { message: 'Options created.', data: z.custom<object>() },
    async run(request, deps) {
      const { userId } = request.caller
      return { data: await proven(deps, request, (proof) => passkeyOptions(deps, userId, proof)) }
    },
  }),
  endpoint({
    route: 'POST /passkeys',
    who: 'session',
    role: 'verified',
    input: body(newPasskey),
    answer: { status: 201, message: 'Passkey added.', data: passkeySchema },
    async run({ caller, input, device }, deps) {
      const passkey = await addPasskey(deps, caller.userId, { ...input, device })
      return { data: passkeyView(passkey) }
    },
  }),
  endpoint({
    route: 'DELETE /passkeys/{id}',
    who: 'session',
    role: 'verified',
    input: body(proofBody),
    answer: { message: 'Passkey removed.' },
    async run(request, deps) {
      const { caller, params } = request
      const passkeyId = idOf(params)
      await proven(deps, request, (proof) => removePasskey(deps, caller.userId, { passkeyId, proof }))
    },
  }),
]

/** A user's own security settings. For most of them the user proves again who they are, with a limit on attempts. */
export const securityEndpoints = [...accountEndpoints, ...twoFactorEndpoints, ...passkeyEndpoints]
