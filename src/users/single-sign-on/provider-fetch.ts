import type { OidcProvider } from '../../config/oidc-providers.ts'
import { Refusal } from '../../errors/refusal.ts'

/** For one request to the provider, its body included. */
export const TIMEOUT_MS = 10_000
/** Discovery documents and key sets have some kilobytes, tokens of users with many groups some dozen. */
const RESPONSE_BYTES_MAX = 256 * 1024
export const RETRY_SECONDS = 10

type ProviderRequest = {
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array | ArrayBuffer | ReadableStream | URLSearchParams | null | undefined
}

export const boundedFetch =
  (provider: OidcProvider) =>
  async (url: string, { method, headers, body }: ProviderRequest): Promise<Response> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const content = body instanceof Uint8Array ? new Uint8Array(body) : body
      const response = await fetch(url, {
        method,
        headers,
        body: content ?? null,
        redirect: 'manual',
        signal,
      })
      const bytes = await bodyOf(response)
      const bodyless = [101, 204, 205, 304].includes(response.status)
      return new Response(bodyless ? null : bytes, response)
    } catch (error) {
      const away = providerAway(provider)
      away.cause = error
      throw away
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

export const providerAway = ({ name }: OidcProvider) =>
  new Refusal(
    'provider_unavailable',
    `${name} cannot be reached at the moment. Try again in a few seconds.`,
    {
      retryAfterSeconds: RETRY_SECONDS,
    },
  )
