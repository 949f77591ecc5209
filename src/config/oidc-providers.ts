import { MEMBER_ROLES, type MemberRole } from '../access/roles-and-scopes.ts'
import type { SettingKind } from './setting-kinds.ts'

/** The members of a group at the provider get this role in a workspace. Nobody becomes an owner this way. */
export type GroupRole = {
  group: string
  /** Its ID, or a name that only one has: src/users/single-sign-on/group-workspaces.ts. */
  workspace: number | string
  role: Exclude<MemberRole, 'owner'>
}

/** A provider of single sign-on by OpenID Connect. */
export type OidcProvider = {
  /** In the redirect URI. */
  id: string
  name: string
  issuer: string
  clientId: string
  /** Undefined: a public client, which has only PKCE. */
  clientSecret: string | undefined
  /** Besides openid, email and profile. */
  scopes: readonly string[]
  /** Lower case; of which an email must be. Empty: any. */
  emailDomains: readonly string[]
  /** The claim that says that the provider has verified the email. */
  emailVerifiedClaim: string
  groupsClaim: string
  groupRoles: readonly GroupRole[]
}

const PROVIDERS_MAX = 20
const TEXTS_MAX = 100
const CHARS_MAX = 1_000
const FIELDS = [
  'id',
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'email_domains',
  'email_verified_claim',
  'groups_claim',
  'group_roles',
]
const GROUP_ROLE_FIELDS = ['group', 'workspace', 'role']

export const oidcProviders: SettingKind<readonly OidcProvider[]> = {
  allowed: `a JSON list of up to ${PROVIDERS_MAX} providers, each with id, name, issuer and client_id (see "Single sign-on")`,
  read(text) {
    const providers = listOf(parsed(text), readProvider, PROVIDERS_MAX)
    if (providers === undefined) return undefined
    // An identity belongs to an issuer, and a redirect URI to an ID.
    const areDistinct = (['id', 'issuer'] as const).every(
      (field) => new Set(providers.map((provider) => provider[field])).size === providers.length,
    )
    return areDistinct ? providers : undefined
  },
}

function readProvider(sent: unknown): OidcProvider | undefined {
  const fields = fieldsOf(sent, FIELDS)
  if (fields === undefined) return undefined
  return complete(
    {
      id: textOf(fields.id, /^[a-z0-9][a-z0-9-]{0,31}$/),
      name: textOf(fields.name, /^[^\p{Cc}]{1,60}$/u),
      issuer: isIssuer(fields.issuer) ? fields.issuer : undefined,
      clientId: textOf(fields.client_id),
      scopes: listOf(fields.scopes ?? [], (scope) => textOf(scope, /^[\x21\x23-\x5b\x5d-\x7e]+$/)),
      emailDomains: listOf(fields.email_domains ?? [], (domain) =>
        textOf(domain, /^[^\s@]+\.[^\s@]+$/)?.toLowerCase(),
      ),
      emailVerifiedClaim: textOf(fields.email_verified_claim ?? 'email_verified'),
      groupsClaim: textOf(fields.groups_claim ?? 'groups'),
      groupRoles: listOf(fields.group_roles ?? [], readGroupRole),
    },
    { clientSecret: fields.client_secret },
  )
}

function complete(
  required: { [Field in keyof Omit<OidcProvider, 'clientSecret'>]: OidcProvider[Field] | undefined },
  { clientSecret }: { clientSecret: unknown },
): OidcProvider | undefined {
  const secret = clientSecret === undefined ? undefined : textOf(clientSecret)
  const isComplete = Object.values(required).every((value) => value !== undefined)
  if (!isComplete || (clientSecret !== undefined && secret === undefined)) return undefined
  return { ...(required as OidcProvider), clientSecret: secret }
}

function readGroupRole(sent: unknown): GroupRole | undefined {
  const fields = fieldsOf(sent, GROUP_ROLE_FIELDS)
  const group = textOf(fields?.group)
  const workspace = readWorkspace(fields?.workspace)
  const role = MEMBER_ROLES.find((each) => each === fields?.role)
  if (group === undefined || workspace === undefined || role === undefined || role === 'owner')
    return undefined
  return { group, workspace, role }
}

/** Digits are an ID, also as a text: anyone could name a workspace so. */
function readWorkspace(sent: unknown): number | string | undefined {
  if (Number.isSafeInteger(sent)) return sent as number
  const text = textOf(sent)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** Without TLS anybody on the way could sign in as anybody, so http is for this machine only. */
export function isIssuer(sent: unknown): sent is string {
  const text = textOf(sent, /^https?:\/\/[^\s?#@\\]+$/)
  if (text === undefined || !URL.canParse(text)) return false
  return text.startsWith('https:') || /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(text).hostname)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fieldsOf(sent: unknown, allowed: readonly string[]): Record<string, unknown> | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  return Object.keys(sent).every((name) => allowed.includes(name)) ? { ...sent } : undefined
}

const textOf = (sent: unknown, shape = /^\S(.*\S)?$/): string | undefined =>
  typeof sent === 'string' && sent.length <= CHARS_MAX && shape.test(sent) ? sent : undefined

function listOf<Value>(
  sent: unknown,
  read: (one: unknown) => Value | undefined,
  max = TEXTS_MAX,
): Value[] | undefined {
  if (!Array.isArray(sent) || sent.length > max) return undefined
  const values = sent.map(read).filter((value) => value !== undefined)
  return values.length === sent.length ? values : undefined
}
