import { isoMicroseconds } from '../../runtime/clock.ts'
import { type Identity, listIdentities, unlinkIdentity } from '../../users/single-sign-on/identities.ts'
import { confirmByPasskey } from '../../users/second-factor/passkey-sign-in.ts'
import { confirmByProvider } from '../../users/single-sign-on/confirm-by-provider.ts'
import { startFlow } from '../../users/single-sign-on/provider-flow.ts'
import {
  enterProviderCode,
  signInByProvider,
  userToEnterCode,
} from '../../users/single-sign-on/sign-in-by-provider.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { type DashboardEndpoint, endpoint, openEndpoint } from './dashboard-endpoint.ts'
import { prove, proven } from './proven-change.ts'
import type { IdentityView, ProviderView } from './types/single-sign-on-types.ts'

export function singleSignOnEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [...providerSignInEndpoints(deps), ...confirmationEndpoints(deps), ...identityEndpoints(deps)]
}

/** The browser goes to the provider, which sends it to a page of the dashboard, which sends here what it came with. */
function providerSignInEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { limits } = deps
  return [
    openEndpoint('POST /session/provider', async ({ input, ip }) => {
      limits.secret(ip)
      const { url, flowToken } = await startFlow(deps, input.provider, {
        purpose: 'single-sign-on',
        userId: null,
      })
      return { message: 'Continue at the provider.', data: { url }, flowToken }
    }),
    openEndpoint('POST /session/provider/return', async ({ input, ip, device, flowToken }) => {
      limits.secret(ip)
      const { provider: providerId, query } = input
      const outcome = await signInByProvider(deps, { providerId, query, flowToken, device })
      if (outcome === 'linked') return { message: 'Linked.', data: { outcome }, flowToken: null }
      if ('codeToken' in outcome) {
        const data = { outcome: 'needs-code' } as const
        const message = 'A code from your authenticator app is required.'
        return { message, data, flowToken: outcome.codeToken }
      }
      const data = { outcome: 'signed-in' } as const
      return { message: 'Signed in.', data, sessionToken: outcome.token, flowToken: null }
    }),
    openEndpoint('POST /session/provider/code', async ({ input, ip, device, flowToken }) => {
      limits.secret(ip)
      const owner = await userToEnterCode(deps, flowToken)
      const entering = { codeToken: flowToken, code: input.code, device }
      const sessionToken = await limits.guess({ ip, owner }, () => enterProviderCode(deps, entering))
      return { message: 'Signed in.', sessionToken, flowToken: null }
    }),
  ]
}

/** Users without a password confirm here that it is them. */
function confirmationEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { limits } = deps
  return [
    endpoint('POST /session/confirm/provider', 'signed-in', async ({ session, input, ip }) => {
      limits.secret(ip)
      const flow = { purpose: 'single-sign-on-confirm', userId: session.userId } as const
      const { url, flowToken } = await startFlow(deps, input.provider, flow)
      return { message: 'Continue at the provider.', data: { url }, flowToken }
    }),
    endpoint(
      'POST /session/confirm/provider/return',
      'signed-in',
      async ({ session, input, ip, flowToken }) => {
        limits.secret(ip)
        const { provider: providerId, query } = input
        await confirmByProvider(deps, session, { providerId, query, flowToken })
        return { message: 'Confirmed.', flowToken: null }
      },
    ),
    endpoint('POST /session/confirm/passkey', 'signed-in', async ({ session, input, ip }) => {
      limits.secret(ip)
      await confirmByPasskey(deps, session, input.response)
      return { message: 'Confirmed.' }
    }),
  ]
}

function identityEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { db, config } = deps
  return [
    endpoint('GET /identities', 'verified', async ({ caller }) => {
      const identities = await listIdentities(db, caller.userId)
      const isLinked = (issuer: string) => identities.some((identity) => identity.issuer === issuer)
      const data = {
        identities: identities.map((identity) => identityView(deps, identity)),
        linkable: providerViews(config.oidcProviders.filter(({ issuer }) => !isLinked(issuer))),
      }
      return { message: 'Identities retrieved.', data }
    }),
    endpoint('POST /identities', 'verified', async (request) => {
      const { caller, input } = request
      const { userId } = caller
      await prove(deps, request)
      const { url, flowToken } = await startFlow(deps, input.provider, { purpose: 'single-sign-on', userId })
      return { message: 'Continue at the provider.', data: { url }, flowToken }
    }),
    endpoint('DELETE /identities', 'verified', async (request) => {
      const { caller, input } = request
      const { issuer } = input
      await proven(deps, request, (proof) => unlinkIdentity(deps, caller.userId, { issuer, proof }))
      return { message: 'Unlinked.' }
    }),
  ]
}

export const providerViews = (providers: readonly ProviderView[]): ProviderView[] =>
  providers.map(({ id, name }) => ({ id, name }))

/** One whose provider is not set any more is called by its issuer. */
const identityView = (
  { config }: DashboardDeps,
  { issuer, email, createdAtUs, lastUsedAtUs }: Identity,
): IdentityView => ({
  issuer,
  name: config.oidcProviders.find((provider) => provider.issuer === issuer)?.name ?? issuer,
  email,
  created_at: isoMicroseconds(createdAtUs),
  last_used_at: isoMicroseconds(lastUsedAtUs),
})
