import type { AuthorizationResponseError, ClientAuth, Configuration, CustomFetch } from 'openid-client'
import type { OidcProvider } from '../../config/oidc-providers.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Log } from '../../runtime/log.ts'

/** For one request to the provider, its body included. */
const TIMEOUT_MS = 10_000
/** Discovery documents and key sets have some kilobytes, tokens of users with many groups some dozen. */
const RESPONSE_BYTES_MAX = 256 * 1024
const RETRY_SECONDS = 10

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
  const configuration = await discover(provider).catch((error: unknown) => {
    logFailure(log, provider, error)
    throw providerAway(provider)
  })
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
  try {
    const configuration = await discover(provider)
    const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
    if (claims.email !== undefined || endpoint === undefined) return claims
    const others = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return { ...others, ...claims }
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

const boundedFetch =
  (provider: OidcProvider): CustomFetch =>
  async (url, { method, headers, body }) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const sent = body instanceof Uint8Array ? new Uint8Array(body) : body
      const response = await fetch(url, { method, headers, body: sent ?? null, redirect: 'manual', signal })
      const bytes = await bodyOf(response)
      const bodyless = [101, 204, 205, 304].includes(response.status)
      return new Response(bodyless ? null : bytes, response)
    } catch {
      throw providerAway(provider)
    }
  }

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > RESPONSE_BYTES_MAX) throw new Error(`A response of more than ${RESPONSE_BYTES_MAX} bytes.`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const providerAway = ({ name }: OidcProvider) =>
  new Refusal('unavailable', `${name} cannot be reached at the moment. Try again in a few seconds.`, {
    retryAfterSeconds: RETRY_SECONDS,
  })

const notSignedIn = ({ name }: OidcProvider, { error }: AuthorizationResponseError) =>
  invalid({
    provider: [error === 'access_denied' ? `${name} did not allow it.` : `${name} refused to sign you in.`],
  })

/** What went wrong, and nothing that the provider has sent: it may be a secret. */
function logFailure(log: Pick<Log, 'warn'>, { id, issuer }: OidcProvider, error: unknown): void {
  const { message, code } = error as Error & { code?: string }
  log.warn('Single sign-on failed.', { provider: id, issuer, code, reason: message })
}
