import { confirmNewEmail } from '../../accounts/change-email.ts'
import { confirmEmail, resendVerification } from '../../accounts/confirm-email.ts'
import { hasAccounts } from '../../accounts/find-account.ts'
import { invitedEmail } from '../../accounts/invitations.ts'
import { relyingParty } from '../../accounts/passkeys.ts'
import { forgotPassword, resetPassword } from '../../accounts/reset-password.ts'
import { enter } from '../../accounts/sign-in.ts'
import { signUp } from '../../accounts/sign-up.ts'
import { type DashboardEndpoint, openEndpoint } from './dashboard-endpoint.ts'
import type { PeopleDeps } from './people-deps.ts'

/** For those who have not signed in: making an account, and what their mails lead to. */
export function signUpEndpoints(deps: PeopleDeps): DashboardEndpoint[] {
  const { db, config, limits } = deps
  return [
    openEndpoint('GET /instance', async () => ({
      message: 'Instance retrieved.',
      data: {
        base_url: config.baseUrl,
        sign_up: config.signUp,
        is_empty: !(await hasAccounts(db)),
        sends_mail: config.smtpUrl !== undefined,
        has_passkeys: relyingParty(config.baseUrl) !== undefined,
      },
    })),
    openEndpoint('POST /sign-up', async ({ input, ip, device }) => {
      limits.secret(ip)
      const { name, email, password, invitation } = input
      const rules = { mode: config.signUp, canMail: config.smtpUrl !== undefined }
      const entering = await signUp({ ...deps, countMail: limits.mailsFrom(ip) }, rules, {
        name,
        email,
        password,
        invitation,
      })
      if (entering === undefined) {
        return { message: 'We sent you an email with the next step.', data: { is_signed_in: false } }
      }
      const sessionToken = (await enter(deps, { accountId: entering.id, device })) ?? null
      return { message: 'Signed up.', data: { is_signed_in: true }, sessionToken }
    }),
    openEndpoint('POST /invitations/read', async ({ input, ip }) => {
      limits.secret(ip)
      return { message: 'Invitation retrieved.', data: { email: await invitedEmail(deps, input.token) } }
    }),
    ...mailedLinkEndpoints(deps),
  ]
}

/** Opening a mailed link shows a page with a button; it is the button that comes here. */
function mailedLinkEndpoints(deps: PeopleDeps): DashboardEndpoint[] {
  const { limits } = deps
  return [
    openEndpoint('POST /verify-email', async ({ input, ip }) => {
      limits.secret(ip)
      return { message: 'Your email is verified.', data: await confirmEmail(deps, input.token) }
    }),
    openEndpoint('POST /verify-email/resend', async ({ input, ip }) => {
      limits.mailsFrom(ip)(input.email)
      await resendVerification(deps, input.email)
      return { message: 'If this email is waiting to be verified, we sent it a link.' }
    }),
    openEndpoint('POST /confirm-email', async ({ input, ip }) => {
      limits.secret(ip)
      return { message: 'Your new email is verified.', data: await confirmNewEmail(deps, input.token) }
    }),
    openEndpoint('POST /forgot-password', async ({ input, ip }) => {
      limits.mailsFrom(ip)(input.email)
      await forgotPassword(deps, input.email)
      return { message: 'If this email has an account, we sent it a link.' }
    }),
    openEndpoint('POST /reset-password', async ({ input, ip }) => {
      limits.secret(ip)
      const { token, password } = input
      return { message: 'Your password was changed.', data: await resetPassword(deps, { token, password }) }
    }),
  ]
}
