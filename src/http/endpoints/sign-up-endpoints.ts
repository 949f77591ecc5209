import { z } from '@hono/zod-openapi'
import { MEMBER_ROLES } from '../../access/roles-and-scopes.ts'
import { presentedEmail } from '../../users/email.ts'
import { hasUsers } from '../../users/find-user.ts'
import { findWorkspaceInvitation } from '../../users/members/join-workspace.ts'
import { passwordField } from '../../users/password/password.ts'
import { forgotPassword, resetPassword } from '../../users/password/reset-password.ts'
import { confirmNewEmail } from '../../users/profile/change-email.ts'
import { relyingParty } from '../../users/second-factor/passkeys.ts'
import { enter } from '../../users/sign-in/sign-in.ts'
import { confirmEmail, resendVerification } from '../../users/sign-up/confirm-email.ts'
import { invitedEmail } from '../../users/sign-up/invitations.ts'
import { SIGN_UP_MODES, signUp, signUpBody } from '../../users/sign-up/sign-up.ts'
import { comparedText } from '../../validation/field-rules.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { countingMails } from '../dispatch/server-deps.ts'
import { providerSchema, providerViews } from './single-sign-on-endpoints.ts'

const instanceSchema = z.strictObject({
  base_url: z.string(),
  sign_up: z.enum(SIGN_UP_MODES),
  is_empty: z
    .boolean()
    .meta({ description: 'Nobody has an account: the first user to sign up becomes the operator.' }),
  sends_mail: z.boolean().meta({
    description: 'False: emails go to DATA_DIR/outbox, and their links to the operator’s console.',
  }),
  looks_at_destinations: z.boolean().meta({ description: 'False: the operator has switched it off.' }),
  trash_days: z.number().meta({ description: 'How long deleted links can be restored.' }),
  audit_days: z.number().meta({ description: 'How long entries of the audit log are kept.' }),
  has_passkeys: z.boolean().meta({
    description: 'False if BASE_URL is an IP address, for which browsers allow no passkeys.',
  }),
  providers: z.array(providerSchema).meta({ description: 'Of single sign-on.' }),
  providers_only: z.boolean().meta({
    description: 'Passwords and passkeys are for operators only, and nobody signs up with a password.',
  }),
})
export type InstanceView = z.infer<typeof instanceSchema>

const emailSchema = z.strictObject({ email: z.string() })
const presentedToken = z.object({ token: comparedText })
const emailOfAccount = z.object({ email: presentedEmail })

/** Signing up, and the pages that emails link to. Opening such a link shows a page; its button sends the token here. */
export const signUpEndpoints = [
  endpoint({
    route: 'GET /instance',
    who: 'anybody',
    answer: { message: 'Instance retrieved.', data: instanceSchema },
    run: async (_, { db, config }) => ({
      data: {
        base_url: config.baseUrl,
        sign_up: config.signUp,
        is_empty: !(await hasUsers(db)),
        sends_mail: config.smtpUrl !== undefined,
        looks_at_destinations: config.fetchDestinations,
        trash_days: config.trashDays,
        audit_days: config.auditDays,
        has_passkeys: relyingParty(config.baseUrl) !== undefined,
        providers: providerViews(config.oidcProviders),
        providers_only: config.oidcOnly,
      },
    }),
  }),
  endpoint({
    route: 'POST /sign-up',
    who: 'anybody',
    input: body(signUpBody),
    answer: {
      message: 'Signed up.',
      data: z.strictObject({
        is_signed_in: z.boolean().meta({
          description:
            'True for the first account and with an invitation. All others get an email with the next step.',
        }),
      }),
    },
    async run({ input, ip, device }, deps) {
      deps.limits.secret(ip)
      const { signUp: mode, oidcOnly, smtpUrl } = deps.config
      const rules = { mode, oidcOnly, canMail: smtpUrl !== undefined }
      const entering = await signUp(countingMails(deps, ip), rules, { ...input, device })
      if (entering === undefined)
        return { message: 'We sent you an email with the next step.', data: { is_signed_in: false } }
      const sessionToken = (await enter(deps, { userId: entering.userId, device })) ?? null
      return { data: { is_signed_in: true }, sessionToken }
    },
  }),
  endpoint({
    route: 'POST /invitations/read',
    who: 'anybody',
    input: body(presentedToken),
    answer: {
      message: 'Invitation retrieved.',
      data: z.strictObject({
        email: z.string(),
        workspace: z
          .strictObject({ name: z.string(), role: z.enum(MEMBER_ROLES), invited_by: z.string().nullable() })
          .nullable()
          .meta({ description: 'Null if the operator has invited, to sign up only.' }),
      }),
    },
    async run({ input: { token }, ip }, deps) {
      deps.limits.secret(ip)
      const invitation = await findWorkspaceInvitation(deps, token)
      if (invitation === undefined)
        return { data: { email: await invitedEmail(deps, token), workspace: null } }
      const { email, workspaceName: name, role, invitedBy } = invitation
      return { data: { email, workspace: { name, role, invited_by: invitedBy } } }
    },
  }),
  endpoint({
    route: 'POST /verify-email',
    who: 'anybody',
    input: body(presentedToken),
    answer: { message: 'Your email is verified.', data: emailSchema },
    async run({ input, ip }, deps) {
      deps.limits.secret(ip)
      return { data: await confirmEmail(deps, input.token) }
    },
  }),
  endpoint({
    route: 'POST /verify-email/resend',
    who: 'anybody',
    input: body(emailOfAccount),
    answer: { message: 'If this email is waiting to be verified, we sent it a link.' },
    async run({ input, ip }, deps) {
      deps.limits.mailsFrom(ip)(input.email)
      await resendVerification(deps, input.email)
    },
  }),
  endpoint({
    route: 'POST /confirm-email',
    who: 'anybody',
    input: body(presentedToken),
    answer: { message: 'Your new email is verified.', data: emailSchema },
    async run({ input, ip, device }, deps) {
      deps.limits.secret(ip)
      return { data: await confirmNewEmail(deps, { token: input.token, device }) }
    },
  }),
  endpoint({
    route: 'POST /forgot-password',
    who: 'anybody',
    input: body(emailOfAccount),
    answer: { message: 'If this email has an account, we sent it a link.' },
    async run({ input, ip }, deps) {
      deps.limits.mailsFrom(ip)(input.email)
      await forgotPassword(deps, input.email)
    },
  }),
  endpoint({
    route: 'POST /reset-password',
    who: 'anybody',
    input: body(presentedToken.extend({ password: passwordField })),
    answer: { message: 'Your password was changed.', data: emailSchema },
    async run({ input, ip }, deps) {
      deps.limits.secret(ip)
      return { data: await resetPassword(deps, input) }
    },
  }),
]
