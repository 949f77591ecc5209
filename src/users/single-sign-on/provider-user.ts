import type { OidcProvider } from '../../config/oidc-providers.ts'
import { Refusal } from '../../errors/refusal.ts'
import { emailField } from '../email.ts'
import { nameField } from '../sign-up/create-account.ts'
import type { Claims } from './openid-connect.ts'

const SUBJECT_CHARS_MAX = 255
const GROUPS_MAX = 1_000

/** A user as the provider knows them. */
export type ProviderUser = {
  issuer: string
  subject: string
  /** Verified by the provider. */
  email: string
  name: string
  groups: readonly string[]
  /** When they signed in there, if the provider says so. */
  signedInAtUs: number | undefined
}

/** Refused unless the provider has verified an email of an allowed domain. */
export function providerUserOf(provider: OidcProvider, claims: Claims): ProviderUser {
  const { data: email } = emailField.safeParse(claims.email)
  const isUsable = claims.sub.length <= SUBJECT_CHARS_MAX
  if (email === undefined || !isUsable || !isTrue(claims[provider.emailVerifiedClaim]))
    throw new Refusal('provider_refused', `${provider.name} has not verified your email address.`)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (provider.emailDomains.length > 0 && !provider.emailDomains.includes(domain))
    throw new Refusal(
      'provider_refused',
      `Email addresses at ${domain} cannot sign in with ${provider.name}.`,
    )
  const { data: name = email.split('@')[0]! } = nameField.safeParse(claims.name)
  return {
    // The setting's, which the library has compared: providers write some with a slash at the end.
    issuer: provider.issuer,
    subject: claims.sub,
    email,
    name,
    groups: groupsIn(claims[provider.groupsClaim]),
    signedInAtUs: typeof claims.auth_time === 'number' ? claims.auth_time * 1_000_000 : undefined,
  }
}

/** Some providers write it as a text or a number. */
const isTrue = (claim: unknown) => [true, 'true', 1, '1'].includes(claim as string)

function groupsIn(claim: unknown): string[] {
  const groups = typeof claim === 'string' ? [claim] : Array.isArray(claim) ? claim : []
  return groups.slice(0, GROUPS_MAX).filter((group) => typeof group === 'string')
}
