import { readSecret } from '../../users/tokens/secret-text.ts'
import { confirmNewEmail } from '../../users/profile/change-email.ts'
import { confirmEmail, resendVerification } from '../../users/sign-up/confirm-email.ts'
import { findWorkspaceInvitation } from '../../users/members/join-workspace.ts'
import { hasUsers } from '../../users/find-user.ts'
import { invitedEmail } from '../../users/sign-up/invitations.ts'
import { relyingParty } from '../../users/second-factor/passkeys.ts'
import { forgotPassword, resetPassword } from '../../users/password/reset-password.ts'
import { enter } from '../../users/sign-in/sign-in.ts'
import { signUp } from '../../users/sign-up/sign-up.ts'
import { type DashboardEndpoint, openEndpoint } from './dashboard-endpoint.ts'
import { providerViews } from './single-sign-on-endpoints.ts'
import type { DashboardDeps } from './dashboard-deps.ts'

/** Signing up, and the pages that emails link to. */
export function signUpEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { db, config, limits } = deps
  return [
    openEndpoint('GET /instance', async () => ({
      message: 'Instance retrieved.',
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
    })),
    openEndpoint('POST /sign-up', async ({ input, ip, device }) => {
      limits.secret(ip)
      const { name, email, password, invitation } = input
      const { signUp: mode, oidcOnly } = config
      const rules = { mode, oidcOnly, canMail: config.smtpUrl !== undefined }
      const entering = await signUp({ ...deps, countMail: limits.mailsFrom(ip) }, rules, {
        name,
        email,
        password,
        invitation,
        device,
      })
      if (entering === undefined) {
        return { message: 'We sent you an email with the next step.', data: { is_signed_in: false } }
      }
      const sessionToken = (await enter(deps, { userId: entering.userId, device })) ?? null
      return { message: 'Signed up.', data: { is_signed_in: true }, sessionToken }
    }),
    openEndpoint('POST /invitations/read', async ({ input, ip }) => {
      limits.secret(ip)
      const found = await findWorkspaceInvitation(deps, input.token)
      if (found === undefined) {
        const email = await invitedEmail(deps, input.token)
        return { message: 'Invitation retrieved.', data: { email, workspace: null } }
      }
      const { email, workspaceName: name, role, invitedBy } = found
      return {
        message: 'Invitation retrieved.',
        data: { email, workspace: { name, role, invited_by: invitedBy } },
      }
    }),
    ...mailedLinkEndpoints(deps),
  ]
}

/** Opening an emailed link shows a page; its button sends the token here. */
function mailedLinkEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
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
    openEndpoint('POST /confirm-email', async ({ input, ip, device }) => {
      limits.secret(ip)
      const data = await confirmNewEmail(deps, { token: input.token, device })
      return { message: 'Your new email is verified.', data }
    }),
    openEndpoint('POST /forgot-password', async ({ input, ip }) => {
      limits.mailsFrom(ip)(input.email)
      await forgotPassword(deps, input.email)
      return { message: 'If this email has an account, we sent it a link.' }
    }),
    openEndpoint('POST /reset-password', async ({ input, ip }) => {
      limits.secret(ip)
      const data = await resetPassword(deps, { token: input.token, password: readSecret(input.password) })
      return { message: 'Your password was changed.', data }
    }),
  ]
}
