import type { Selectable } from 'kysely'
import { hourlyAllowance } from '../accounts/plans.ts'
import { HOUR_US } from '../clock.ts'
import { type Scope, SCOPES } from '../caller.ts'
import type { ApiKeyTable } from '../store/account-schema.ts'

export type ApiKey = {
  id: number
  accountId: number
  name: string
  /** `tern_…Ab3x`; null for keys made before hints were kept. */
  hint: string | null
  scopes: Scope[]
  /** Requests per hour. */
  rateLimit: number
  /** Counted in the current hour. */
  currentUsage: number
  /** When the current hour ends; null when none runs. */
  resetAtUs: number | null
  lastUsedAtUs: number | null
  /** Null while the key is good. */
  revokedAtUs: number | null
  createdAtUs: number
}

/** A key's row, and what its account may do. */
export type ApiKeyRow = Selectable<ApiKeyTable> & {
  plan: string
  role: string
  account_rate_limit: number | null
}

/** The key as it stands at `nowUs`: an hour that is over has no usage. */
export function toApiKey(row: ApiKeyRow, nowUs: number): ApiKey {
  const endsAtUs = row.window_started_at === null ? 0 : row.window_started_at + HOUR_US
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hint: row.key_hint,
    scopes: parseScopes(row.scopes),
    rateLimit: row.rate_limit ?? hourlyAllowance({ ...row, rateLimit: row.account_rate_limit }),
    currentUsage: endsAtUs > nowUs ? row.window_requests : 0,
    resetAtUs: endsAtUs > nowUs ? endsAtUs : null,
    lastUsedAtUs: row.last_used_at,
    revokedAtUs: row.revoked_at,
    createdAtUs: row.created_at,
  }
}

/** Only scopes that we know; one of a newer version grants nothing here. */
function parseScopes(text: string): Scope[] {
  const listed = JSON.parse(text) as string[]
  return SCOPES.filter((scope) => listed.includes(scope))
}

/** `links:write` includes `links:create`. */
export function grants(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.includes(needed) || (needed === 'links:create' && scopes.includes('links:write'))
}
