import { isIssuer, type OidcProvider } from '../../config/oidc-providers.ts'
import { boundedFetch } from './provider-fetch.ts'

/** A sentence for the operator. `isPassing`: it may work again without a change of settings. */
export type DiscoveryProblem = { sentence: string; isPassing: boolean }

/** Of what the provider says, in a sentence. */
const ISSUER_CHARS_MAX = 300

/** Why the provider's discovery document cannot be used; undefined if it can. */
export async function discoveryProblem(provider: OidcProvider): Promise<DiscoveryProblem | undefined> {
  const url = `${provider.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  let response: Response
  try {
    response = await boundedFetch(provider)(url, { method: 'GET', headers: { Accept: 'application/json' } })
  } catch (error) {
    const sentence = `The provider cannot be reached at ${url} (${reasonOf(error)}). Check the issuer in OIDC_PROVIDERS, DNS and the firewall.`
    return { sentence, isPassing: true }
  }
  const { status } = response
  if (status !== 200) {
    const sentence = `The provider answered ${status} at ${url}, not with its discovery document. Check the issuer in OIDC_PROVIDERS.`
    return { sentence, isPassing: status === 429 || status >= 500 }
  }
  const document = await response.json().catch(() => undefined)
  const sentence = issuerProblem(provider, url, document)
  return sentence === undefined ? undefined : { sentence, isPassing: false }
}

function issuerProblem({ issuer }: OidcProvider, url: string, document: unknown): string | undefined {
  const otherIssuer = (document as { issuer?: unknown } | null | undefined)?.issuer
  if (typeof otherIssuer !== 'string' || !URL.canParse(otherIssuer))
    return `What the provider answered at ${url} is not a discovery document. Check the issuer in OIDC_PROVIDERS.`
  if (new URL(otherIssuer).href === new URL(issuer).href) return undefined
  const start = otherIssuer.slice(0, ISSUER_CHARS_MAX)
  const differ = `OIDC_PROVIDERS has the issuer "${issuer}", and the provider calls itself "${start}".`
  return isIssuer(otherIssuer)
    ? `${differ} Set "issuer" in OIDC_PROVIDERS to exactly what the provider says.`
    : `${differ} Give the provider its public https URL, and set "issuer" in OIDC_PROVIDERS to the same.`
}

/** `ECONNREFUSED`, or what there is. */
function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as Error & { code?: unknown }
  return typeof code === 'string' ? code : message.replace(/\.$/, '')
}
