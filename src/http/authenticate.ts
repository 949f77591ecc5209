import { type FindKeyDeps, findKey, type PresentedKey } from '../api-keys/find-key.ts'
import { Refusal } from '../refusal.ts'
import { type Query } from './query.ts'

/**
 * The key that the request came with: `X-API-Key`, `Authorization: Bearer`, then `api_key` in the query. The first of
 * them that is there decides: a bad header is refused even if the query has a good key.
 */
export async function authenticate(deps: FindKeyDeps, headers: Headers, query: Query): Promise<PresentedKey> {
  const presented =
    headers.get('x-api-key') ?? bearerToken(headers.get('authorization')) ?? query.api_key?.[0]
  if (presented === undefined) {
    throw new Refusal('unauthenticated', 'An API key is required. Send it in the X-API-Key header.')
  }
  const key = await findKey(deps, presented)
  if (key === undefined) throw new Refusal('unauthenticated', 'The API key is not valid.')
  return key
}

/** '' when the header is there but is no bearer token, so that it is refused like any bad key. */
function bearerToken(header: string | null): string | undefined {
  if (header === null) return undefined
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}
