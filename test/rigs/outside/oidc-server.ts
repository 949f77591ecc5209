import { createPrivateKey, generateKeyPairSync, sign, type webcrypto } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import { type DashboardRig, startDashboardRig } from '../service/dashboard-rig.ts'
import { freePort } from '../free-port.ts'

const CLIENT = { client_id: 'tern', client_secret: 'a secret of the client, long enough' }

/** The user who is signed in at the provider: no page asks for anything. */
export type ProviderAccount = { sub: string } & Record<string, unknown>

type TokenBody = { id_token: string; access_token: string }

/** A provider of OpenID Connect on this machine, which lies where a test lets it. */
export type OidcServer = {
  issuer: string
  /** As OIDC_PROVIDERS has it. */
  setting: Record<string, unknown> & { id: string; issuer: string }
  account: ProviderAccount
  /** Changes the claims before they are signed with the provider's own key. */
  lie: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** Signs ID tokens with a key that is not in the key set. */
  isForged: boolean
  /** Requests of this path get no response, or only its beginning. */
  stall: { path: string; sends: 'nothing' | 'half' } | undefined
  /** What its discovery document says instead. */
  discovery: ((document: Record<string, unknown>) => object) | undefined
  /** From now on it signs with a new key, and the old one is gone from the key set. */
  rotateKeys(): void
  /** Every request for tokens. */
  tokenRequests: { form: URLSearchParams; authorization: string | undefined }[]
  stop(): Promise<void>
}

type SigningKey = webcrypto.JsonWebKey & { kid: string }

let keys = 0

function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: `key-${++keys}`, alg: 'RS256', use: 'sig' }
}

async function startOidcServer(redirectUris: readonly string[]): Promise<OidcServer> {
  const port = freePort()
  const issuer = `http://127.0.0.1:${port}`
  let handle: ReturnType<Provider['callback']>
  const useKey = (key: SigningKey) => {
    const provider = openProvider(issuer, { redirectUris, key, account: () => rig.account })
    provider.use((context, next) => answerTokens(rig, key, { context: context as KoaContextWithOIDC, next }))
    handle = provider.callback()
  }
  const server: Server = createServer((request, response) => {
    if (rig.discovery !== undefined && request.url === DISCOVERY) return void answerDiscovery(rig, response)
    if (rig.stall === undefined || request.url !== rig.stall.path) return void handle(request, response)
    if (rig.stall.sends === 'half') response.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
  })
  const rig: OidcServer = {
    issuer,
    setting: { id: 'test', name: 'Test provider', issuer, ...CLIENT },
    account: { sub: 'ann' },
    lie: undefined,
    isForged: false,
    stall: undefined,
    discovery: undefined,
    tokenRequests: [],
    rotateKeys: () => useKey(newKey()),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  useKey(newKey())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return rig
}

const DISCOVERY = '/.well-known/openid-configuration'

/** The query keeps the request from coming back here. */
async function answerDiscovery({ issuer, discovery }: OidcServer, response: ServerResponse): Promise<void> {
  const document = (await (await fetch(`${issuer}${DISCOVERY}?own`)).json()) as Record<string, unknown>
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(discovery!(document)))
}

type ProviderOptions = {
  redirectUris: readonly string[]
  key: SigningKey
  account: () => ProviderAccount
}

const SCOPES = 'openid email profile groups'

function openProvider(issuer: string, { redirectUris, key, account }: ProviderOptions): Provider {
  const configuration: Configuration = {
    clients: [{ ...CLIENT, redirect_uris: [...redirectUris] }],
    jwks: { keys: [key as never] },
    cookies: { keys: ['a key of the cookies'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'xms_edov'],
      profile: ['name'],
      groups: ['groups'],
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_, accountId) => ({ accountId, claims: async () => ({ ...account() }) }),
    async loadExistingGrant({ oidc }) {
      const { provider, client, session } = oidc
      const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
      grant.addOIDCScope(SCOPES)
      await grant.save()
      return grant
    },
  }
  const provider = new Provider(issuer, configuration)
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next()
    const login = { accountId: account().sub }
    await provider.interactionFinished(context.req, context.res, { login })
    context.respond = false
  })
  return provider
}

type Turn = { context: KoaContextWithOIDC; next: () => Promise<unknown> }

async function answerTokens(rig: OidcServer, key: SigningKey, { context, next }: Turn): Promise<void> {
  await next()
  if (context.path !== '/token') return
  const form = new URLSearchParams(context.oidc?.body as Record<string, string>)
  rig.tokenRequests.push({ form, authorization: context.get('authorization') || undefined })
  const body = context.body as TokenBody
  if (body.id_token === undefined || (rig.lie === undefined && !rig.isForged)) return
  const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1]!, 'base64url').toString())
  const forged = rig.isForged ? { ...newKey(), kid: key.kid } : key
  context.body = { ...body, id_token: signed(rig.lie?.(claims) ?? claims, forged) }
}

function signed(claims: object, key: SigningKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ alg: 'RS256', typ: 'JWT', kid: key.kid })}.${encode(claims)}`
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

/** What a browser does at the provider. Returns where it is sent back to. */
export async function signInAtProvider(url: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const { origin } = new URL(url)
  let next = new URL(url)
  for (let redirects = 0; redirects < 5 && next.origin === origin; redirects++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { Cookie: cookie } })
    for (const header of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!
      cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (location === null)
      throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    next = new URL(location, next)
  }
  return next
}

export type SingleSignOnRig = DashboardRig & { provider: OidcServer }

/** A provider, and the settings of a service that uses it. `setting`: more about the provider. */
export async function startProvider(
  setting: Record<string, unknown> = {},
): Promise<{ provider: OidcServer; settings: Record<string, string> }> {
  const port = String(freePort())
  const provider = await startOidcServer([`http://localhost:${port}/dashboard/single-sign-on/test`])
  const settings = { PORT: port, OIDC_PROVIDERS: JSON.stringify([{ ...provider.setting, ...setting }]) }
  return { provider, settings }
}

/** A complete service with its provider. */
export async function startSingleSignOnRig(
  setting: Record<string, unknown> = {},
  others: Record<string, string> = {},
): Promise<SingleSignOnRig> {
  const { provider, settings } = await startProvider(setting)
  const rig = await startDashboardRig({ ...settings, ...others })
  return {
    ...rig,
    provider,
    async stop() {
      await rig.stop()
      await provider.stop()
    },
  }
}
