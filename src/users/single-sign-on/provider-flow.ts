import type { OidcProvider } from '../../config/oidc-providers.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { DurableDb } from '../../store/handles.ts'
import { signatureOf } from '../../signing/signature.ts'
import { comparedText } from '../../validation/field-rules.ts'
import { consumeToken, FLOW_US, issueToken } from '../tokens/single-use-token.ts'
import { authorizationUrl, claimsFrom, type FlowSecrets } from './openid-connect.ts'
import { type ProviderUser, providerUserOf } from './provider-user.ts'

const QUERY_CHARS_MAX = 8_192

export type FlowDeps = {
  db: DurableDb
  clock: Clock
  log: Pick<Log, 'warn'>
  baseUrl: string
  config: { oidcProviders: readonly OidcProvider[] }
}

/** `flowToken`: for a cookie of this browser. Everything else that protects the flow is derived from it, so it alone is stored. */
export type StartedFlow = { url: string; flowToken: string }

/** To sign in or to link an identity; or to confirm that it is the signed-in user, who signs in at the provider again. */
export type FlowPurpose = 'single-sign-on' | 'single-sign-on-confirm'

/** `userId`: of the user who links the identity, or confirms; null: to sign in. */
export async function startFlow(
  deps: FlowDeps,
  providerId: string,
  { purpose, userId }: { purpose: FlowPurpose; userId: number | null },
): Promise<StartedFlow> {
  const provider = providerById(deps, providerId)
  const flowToken = await issueToken(deps, { purpose, userId })
  const secrets = flowSecrets(flowToken, provider)
  const redirectUri = redirectUriOf(deps, provider)
  const signsInAgain = purpose === 'single-sign-on-confirm'
  return { flowToken, url: await authorizationUrl(deps, provider, { ...secrets, redirectUri, signsInAgain }) }
}

/** Of the redirect URI, as the provider has made it. */
export const returnedQuery = comparedText.refine(
  ({ length }) => length <= QUERY_CHARS_MAX,
  'The query is too long.',
)

export type ReturnedFlow = {
  providerId: string
  /** As `returnedQuery` reads it. */
  query: string
  flowToken: string | undefined
}

type FinishedFlow = {
  provider: OidcProvider
  user: ProviderUser
  userId: number | null
  startedAtUs: number
}

/** Who signed in at the provider. The flow can be used once. */
export async function finishFlow(
  deps: FlowDeps,
  { providerId, query, flowToken = '' }: ReturnedFlow,
  purpose: FlowPurpose,
): Promise<FinishedFlow> {
  const provider = providerById(deps, providerId)
  const started = await consumeToken(deps, { purpose, token: flowToken })
  if (started === undefined) throw otherBrowser()
  const callbackUrl = new URL(redirectUriOf(deps, provider))
  callbackUrl.search = query
  const claims = await claimsFrom(deps, provider, { ...flowSecrets(flowToken, provider), callbackUrl })
  const { userId, expiresAtUs } = started
  return { provider, user: providerUserOf(provider, claims), userId, startedAtUs: expiresAtUs - FLOW_US }
}

/** The provider is in each of them, so that one provider's response is of no use at the page of another. */
function flowSecrets(flowToken: string, { id }: OidcProvider): FlowSecrets {
  const derive = (use: string) => signatureOf({ subject: `${use} ${id}`, key: flowToken })
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/** To register at the provider. */
const redirectUriOf = ({ baseUrl }: Pick<FlowDeps, 'baseUrl'>, { id }: OidcProvider): string =>
  `${baseUrl}/dashboard/single-sign-on/${id}`

function providerById({ config }: Pick<FlowDeps, 'config'>, id: string): OidcProvider {
  const provider = config.oidcProviders.find((each) => each.id === id)
  if (provider === undefined) throw new Refusal('provider_not_found', 'Provider not found.')
  return provider
}

export const otherBrowser = () =>
  invalid({ query: ['This sign-in was already used, has expired, or began in another browser. Try again.'] })
