import type { PresentedKey } from '../../api-keys/find-key.ts'
import type { KeyCache } from '../../api-keys/key-cache.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type Query } from '../requests/query.ts'

/**
 * The request's key: `X-API-Key`, `Authorization: Bearer`, or `api_key` in the query. The first one present counts: a request
 * with an invalid header is refused even if its query has a valid key.
 */
export async function authenticate(keys: KeyCache, headers: Headers, query: Query): Promise<PresentedKey> {
  const presented = presentedKey(headers, query)
  if (presented === undefined) {
    throw new Refusal('api_key_missing', 'An API key is required. Send it in the X-API-Key header.')
  }
  const key = await keys.find(presented)
  if (key === undefined) throw new Refusal('api_key_invalid', 'The API key is not valid.')
  return key
}

/** As it was sent. */
export const presentedKey = (headers: Headers, query: Query): string | undefined =>
  headers.get('x-api-key') ?? bearerToken(headers.get('authorization')) ?? query.api_key?.[0]

/** '' if the header holds something else, which is then refused like any invalid key. */
function bearerToken(header: string | null): string | undefined {
  if (header === null) return undefined
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}
