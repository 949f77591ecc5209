import { z } from '@hono/zod-openapi'
import type { Config } from '../../config/config.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { confirmByPasskey, passkeyBody } from '../../users/second-factor/passkey-sign-in.ts'
import { confirmByProvider } from '../../users/single-sign-on/confirm-by-provider.ts'
import { type Identity, listIdentities, unlinkIdentity } from '../../users/single-sign-on/identities.ts'
import { returnedQuery, startFlow } from '../../users/single-sign-on/provider-flow.ts'
import {
  enterProviderCode,
  signInByProvider,
  userToEnterCode,
} from '../../users/single-sign-on/sign-in-by-provider.ts'
import { proofBody } from '../../users/sign-in/reauthenticate.ts'
import { comparedText } from '../../validation/field-rules.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { prove, proven } from '../dispatch/proven-change.ts'
import { timestamp } from './schemas.ts'

export const providerSchema = z.strictObject({ id: z.string(), name: z.string() })
export type ProviderView = z.infer<typeof providerSchema>

export const providerViews = (providers: Config['oidcProviders']): ProviderView[] =>
  providers.map(({ id, name }) => ({ id, name }))

const identitySchema = z.strictObject({
  issuer: z.string(),
  name: z.string(),
  email: z.string().meta({ description: 'At the provider, as it said last.' }),
  created_at: timestamp(),
  last_used_at: timestamp(),
})
export type IdentityView = z.infer<typeof identitySchema>

/** One whose provider is not set any more is called by its issuer. */
const identityView = (
  providers: Config['oidcProviders'],
  { issuer, email, createdAtUs, lastUsedAtUs }: Identity,
): IdentityView => ({
  issuer,
  name: providers.find((provider) => provider.issuer === issuer)?.name ?? issuer,
  email,
  created_at: isoMicroseconds(createdAtUs),
  last_used_at: isoMicroseconds(lastUsedAtUs),
})

const CONTINUE = { message: 'Continue at the provider.', data: z.strictObject({ url: z.string() }) }

const chosenProvider = z.object({ provider: comparedText.meta({ description: 'Its ID.' }) })
const returnBody = body(
  chosenProvider.extend({
    query: returnedQuery.meta({
      description: 'With which the provider has sent the browser to `/dashboard/single-sign-on/{provider}`.',
    }),
  }),
)

/** The browser goes to the provider, which sends it to a page of the dashboard, which sends here what it came with. */
const providerSignInEndpoints = [
  endpoint({
    route: 'POST /session/provider',
    who: 'anybody',
    input: body(chosenProvider),
    answer: CONTINUE,
    async run({ input, ip }, deps) {
      deps.limits.secret(ip)
      const flow = { purpose: 'single-sign-on', userId: null } as const
      const { url, flowToken } = await startFlow(deps, input.provider, flow)
      return { data: { url }, flowToken }
    },
  }),
  endpoint({
    route: 'POST /session/provider/return',
    who: 'anybody',
    input: returnBody,
    answer: {
      message: 'Signed in.',
      data: z.strictObject({ outcome: z.enum(['signed-in', 'needs-code', 'linked']) }),
    },
    async run({ input: { provider: providerId, query }, ip, device, flowToken }, deps) {
      deps.limits.secret(ip)
      const outcome = await signInByProvider(deps, { providerId, query, flowToken, device })
      if (outcome === 'linked') return { message: 'Linked.', data: { outcome }, flowToken: null }
      if ('token' in outcome)
        return { data: { outcome: 'signed-in' as const }, sessionToken: outcome.token, flowToken: null }
      const message = 'A code from your authenticator app is required.'
      return { message, data: { outcome: 'needs-code' as const }, flowToken: outcome.codeToken }
    },
  }),
  endpoint({
    route: 'POST /session/provider/code',
    who: 'anybody',
    description: 'After `needs-code`: a code of the authenticator app or a recovery code.',
    input: body(z.object({ code: comparedText })),
    answer: { message: 'Signed in.' },
    async run({ input, ip, device, flowToken }, deps) {
      deps.limits.secret(ip)
      const owner = await userToEnterCode(deps, flowToken)
      const entering = { codeToken: flowToken, code: input.code, device }
      const sessionToken = await deps.limits.guess({ ip, owner }, () => enterProviderCode(deps, entering))
      return { sessionToken, flowToken: null }
    },
  }),
]

/** Confirm that it is the signed-in user: in place of the password, for ten minutes, for those who have none. */
const confirmationEndpoints = [
  endpoint({
    route: 'POST /session/confirm/provider',
    who: 'session',
    role: 'signed-in',
    input: body(chosenProvider),
    answer: CONTINUE,
    async run({ session, input, ip }, deps) {
      deps.limits.secret(ip)
      const flow = { purpose: 'single-sign-on-confirm', userId: session.userId } as const
      const { url, flowToken } = await startFlow(deps, input.provider, flow)
      return { data: { url }, flowToken }
    },
  }),
  endpoint({
    route: 'POST /session/confirm/provider/return',
    who: 'session',
    role: 'signed-in',
    input: returnBody,
    answer: { message: 'Confirmed.' },
    async run({ session, input: { provider: providerId, query }, ip, flowToken }, deps) {
      deps.limits.secret(ip)
      await confirmByProvider(deps, session, { providerId, query, flowToken })
      return { flowToken: null }
    },
  }),
  endpoint({
    route: 'POST /session/confirm/passkey',
    who: 'session',
    role: 'signed-in',
    description: 'After `POST /session/passkey/options`.',
    input: body(passkeyBody),
    answer: { message: 'Confirmed.' },
    async run({ session, input, ip }, deps) {
      deps.limits.secret(ip)
      await confirmByPasskey(deps, session, input.response)
    },
  }),
]

const identityEndpoints = [
  endpoint({
    route: 'GET /identities',
    who: 'session',
    role: 'verified',
    answer: {
      message: 'Identities retrieved.',
      data: z.strictObject({
        identities: z.array(identitySchema),
        linkable: z
          .array(providerSchema)
          .meta({ description: 'The providers at which the user has no identity.' }),
      }),
    },
    async run({ caller }, { db, config: { oidcProviders } }) {
      const identities = await listIdentities(db, caller.userId)
      const isLinked = (issuer: string) => identities.some((identity) => identity.issuer === issuer)
      const data = {
        identities: identities.map((identity) => identityView(oidcProviders, identity)),
        linkable: providerViews(oidcProviders.filter(({ issuer }) => !isLinked(issuer))),
      }
      return { data }
    },
  }),
  endpoint({
    route: 'POST /identities',
    who: 'session',
    role: 'verified',
    description: 'Begins as a sign-in does, and links the identity to the user.',
    input: body(proofBody.extend(chosenProvider.shape)),
    answer: CONTINUE,
    async run(request, deps) {
      const { caller, input } = request
      await prove(deps, request)
      const flow = { purpose: 'single-sign-on', userId: caller.userId } as const
      const { url, flowToken } = await startFlow(deps, input.provider, flow)
      return { data: { url }, flowToken }
    },
  }),
  endpoint({
    route: 'DELETE /identities',
    who: 'session',
    role: 'verified',
    input: body(proofBody.extend({ issuer: comparedText })),
    answer: { message: 'Unlinked.' },
    async run(request, deps) {
      const { caller, input } = request
      const { issuer } = input
      await proven(deps, request, (proof) => unlinkIdentity(deps, caller.userId, { issuer, proof }))
    },
  }),
]

export const singleSignOnEndpoints = [
  ...providerSignInEndpoints,
  ...confirmationEndpoints,
  ...identityEndpoints,
]
