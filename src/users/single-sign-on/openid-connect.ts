import type { AuthorizationResponseError, ClientAuth, Configuration } from 'openid-client'
import type { OidcProvider } from '../../config/oidc-providers.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Log } from '../../runtime/log.ts'
import { discoveryProblem } from './discovery-problem.ts'
import { boundedFetch, providerAway, RETRY_SECONDS, TIMEOUT_MS } from './provider-fetch.ts'

/** What binds the response of the provider to the browser that was sent there. */
export type FlowSecrets = { state: string; nonce: string; verifier: string }

export type Claims = Record<string, unknown> & { iss: string; sub: string }

type OpenIdDeps = { log: Pick<Log, 'warn'> }

/** Loaded on first use, so that the program starts quickly. */
const openIdLibrary = () => import('openid-client')

/** `signsInAgain`: the provider should not take a sign-in of earlier. */
type AuthorizationRequest = FlowSecrets & { redirectUri: string; signsInAgain: boolean }

/** Where the browser signs in. */
export async function authorizationUrl(
  { log }: OpenIdDeps,
  provider: OidcProvider,
  { state, nonce, verifier, redirectUri, signsInAgain }: AuthorizationRequest,
): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openIdLibrary()
  const configuration = await configurationOf(log, provider)
  const parameters = {
    redirect_uri: redirectUri,
    scope: ['openid', 'email', 'profile', ...provider.scopes].join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Unlike `prompt=login`, which some providers refuse, an unknown `max_age` is ignored.
    ...(signsInAgain && { max_age: '0' }),
  }
  return buildAuthorizationUrl(configuration, parameters).href
}

/**
 * Exchanges the code for what the provider says about the user. The library checks state, issuer, audience, signature, times and
 * nonce. `callbackUrl`: the redirect URI with the query that the provider has sent the browser back with.
 */
export async function claimsFrom(
  { log }: OpenIdDeps,
  provider: OidcProvider,
  { state, nonce, verifier, callbackUrl }: FlowSecrets & { callbackUrl: URL },
): Promise<Claims> {
  const { authorizationCodeGrant, AuthorizationResponseError, fetchUserInfo } = await openIdLibrary()
  const configuration = await configurationOf(log, provider)
  try {
    const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const userInfo = () => fetchUserInfo(configuration, tokens.access_token, tokens.claims()!.sub)
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    if (!hasUserInfo) return tokens.claims()!
    return await withUserInfo({ log, userInfo }, provider, tokens.claims()!)
  } catch (error) {
    logFailure(log, provider, error)
    const away = [error, (error as Error).cause].find((each) => each instanceof Refusal)
    if (away !== undefined) throw away
    if (error instanceof AuthorizationResponseError) throw notSignedIn(provider, error)
    throw invalid({
      provider: [`The answer of ${provider.name} could not be verified. Try again, or ask the operator.`],
    })
  }
}

type UserInfoDeps = OpenIdDeps & { userInfo(): Promise<Record<string, unknown>> }

/** Asks UserInfo where the ID token lacks a claim that is needed. What is in the ID token stands. */
async function withUserInfo(
  { log, userInfo }: UserInfoDeps,
  provider: OidcProvider,
  claims: Claims,
): Promise<Claims> {
  const { emailVerifiedClaim, groupsClaim, groupRoles } = provider
  const isMissing = (claim: string) => claims[claim] === undefined || claims[claim] === null
  const ofEmail = ['email', emailVerifiedClaim]
  const others = groupRoles.length === 0 ? ['name'] : ['name', groupsClaim]
  if (![...ofEmail, ...others].some(isMissing)) return claims
  try {
    const info = await userInfo()
    const present = Object.entries(claims).filter(([claim]) => !isMissing(claim))
    const merged: Claims = { ...info, ...Object.fromEntries(present), iss: claims.iss, sub: claims.sub }
    // Whether an email is verified is a claim about the email in the same response.
    if (isMissing(emailVerifiedClaim) && info.email !== undefined) merged.email = info.email
    return merged
  } catch (error) {
    if (ofEmail.some(isMissing)) throw error
    const reason = `UserInfo could not be read, so the user signs in without its claims: ${messageOf(error)}`
    log.warn('Single sign-on is incomplete.', { provider: provider.id, issuer: provider.issuer, reason })
    return claims
  }
}

async function configurationOf(log: OpenIdDeps['log'], provider: OidcProvider): Promise<Configuration> {
  try {
    return await discover(provider)
  } catch (error) {
    const problem = await discoveryProblem(provider)
    logFailure(log, provider, problem === undefined ? error : new Error(problem.sentence))
    throw problem === undefined || problem.isPassing
      ? providerAway(provider)
      : providerMisconfigured(provider)
  }
}

/**
 * Read each time: users sign in seldom, and so keys and URLs that the provider has just changed are known. Private hosts are allowed,
 * because the issuer is a setting of the operator.
 */
async function discover(provider: OidcProvider): Promise<Configuration> {
  const library = await openIdLibrary()
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks, None } = library
  const { clientSecret, issuer } = provider
  const authentication = clientSecret === undefined ? None() : secretOf(library, clientSecret)
  // The settings allow http on this machine only.
  const options = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  return discovery(new URL(issuer), provider.clientId, undefined, authentication, {
    execute: [...options, enableNonRepudiationChecks],
    timeout: TIMEOUT_MS / 1000,
    [customFetch]: boundedFetch(provider),
  })
}

/** In the header where the provider takes it there, as all must unless they say otherwise. */
const secretOf =
  (
    { ClientSecretBasic, ClientSecretPost }: Awaited<ReturnType<typeof openIdLibrary>>,
    secret: string,
  ): ClientAuth =>
  (server, ...others) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
    authenticate(secret)(server, ...others)
  }

const providerMisconfigured = ({ name }: OidcProvider) =>
  new Refusal(
    'provider_misconfigured',
    `Single sign-on with ${name} is not set up correctly. Ask the operator of this server, who finds the reason in the log.`,
    { retryAfterSeconds: RETRY_SECONDS },
  )

const notSignedIn = ({ name }: OidcProvider, { error }: AuthorizationResponseError) =>
  invalid({
    provider: [error === 'access_denied' ? `${name} did not allow it.` : `${name} refused to sign you in.`],
  })

/** What went wrong, and nothing that the provider has sent but its issuer: it may be a secret. */
function logFailure(log: Pick<Log, 'warn'>, { id, issuer }: OidcProvider, error: unknown): void {
  const { code } = error as { code?: string }
  log.warn('Single sign-on failed.', { provider: id, issuer, code, reason: messageOf(error) })
}

/** With that of its cause, which says more than the library does. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== message ? `${message}: ${cause.message}` : message
}
