import type { Selectable } from 'kysely'
import { hourlyAllowance } from '../workspaces/plans.ts'
import type { KeyRestrictions } from '../access/key-restrictions.ts'
import { storedRestrictions } from './read-restrictions.ts'
import { HOUR_US } from '../runtime/clock.ts'
import { type Scope, SCOPES } from '../access/roles-and-scopes.ts'
import type { ApiKeyTable } from '../store/workspace-schema.ts'

export type ApiKey = KeyGrants & {
  /** Requests in the current hour. */
  currentUsage: number
  /** When the current hour ends; null if none is running. */
  resetAtUs: number | null
  lastUsedAtUs: number | null
}

/** A key without what has been done with it. */
export type KeyGrants = {
  id: number
  workspaceId: number
  /** The user who created it; null if that user has deleted their account. */
  createdBy: { id: number; name: string } | null
  /** Its user was removed from the workspace, which has kept it. */
  isKept: boolean
  name: string
  /** `tern_…Ab3x`; null for keys made before hints were kept. */
  hint: string | null
  scopes: Scope[]
  /** Undefined for most keys. */
  restrictions: KeyRestrictions | undefined
  /** Requests per hour. */
  rateLimit: number
  /** Null while the key is active. */
  revokedAtUs: number | null
  createdAtUs: number
}

export type ApiKeyRow = Selectable<ApiKeyTable> & {
  plan: string
  user_name: string | null
  workspace_rate_limit: number | null
}

/** An hour that is over at `nowUs` has no usage. */
export function toApiKey(row: ApiKeyRow, nowUs: number): ApiKey {
  const endsAtUs = row.window_started_at === null ? 0 : row.window_started_at + HOUR_US
  return {
    ...toKeyGrants(row),
    currentUsage: endsAtUs > nowUs ? row.window_requests : 0,
    resetAtUs: endsAtUs > nowUs ? endsAtUs : null,
    lastUsedAtUs: row.last_used_at,
  }
}

export const toKeyGrants = (row: ApiKeyRow): KeyGrants => ({
  id: row.id,
  workspaceId: row.workspace_id,
  createdBy: row.user_id === null || row.user_name === null ? null : { id: row.user_id, name: row.user_name },
  isKept: row.is_kept !== 0,
  name: row.name,
  hint: row.key_hint,
  scopes: parseScopes(row.scopes),
  restrictions: storedRestrictions(row.restrictions),
  rateLimit: row.rate_limit ?? hourlyAllowance({ plan: row.plan, rateLimit: row.workspace_rate_limit }),
  revokedAtUs: row.revoked_at,
  createdAtUs: row.created_at,
})

/** A scope of a newer version grants nothing. */
function parseScopes(text: string): Scope[] {
  const scopes = JSON.parse(text) as string[]
  return SCOPES.filter((scope) => scopes.includes(scope))
}
