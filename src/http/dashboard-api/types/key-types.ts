import type { KeyRestrictions } from '../../../access/key-restrictions.ts'
import type { Timestamp } from './page-types.ts'

/** Endpoints of API keys. Part of DashboardApi. */
export type KeyApi = {
  'GET /keys': { data: KeyView[] }
  'POST /keys': {
    input: {
      name: string
      scopes: string[]
      /** Requests per hour. Without it, as many as the workspace allows; null, for operators only: no limit. */
      rate_limit?: number | null
      restrictions?: KeyRestrictions | null
    }
    data: NewKeyView
  }
  'DELETE /keys/{id}': {}
  'GET /usage': { data: UsageView }
}

export type KeyView = {
  id: number
  name: string
  /** The same for every key. */
  key: string
  /** `tern_…Ab3x`; null for keys made before these were kept. */
  key_hint: string | null
  scopes: string[]
  /** What makes the key safe to publish; null: nothing. */
  restrictions: KeyRestrictions | null
  /** Null: that user has deleted their account. */
  created_by: { id: number; name: string } | null
  /** Null: no limit. */
  rate_limit: number | null
  current_usage: number
  reset_at: Timestamp | null
  last_used_at: Timestamp | null
  is_revoked: boolean
  created_at: Timestamp
}

/** Shown once. */
type NewKeyView = { id: number; key: string }

/** Counted requests of all keys, of the last 30 UTC days, today last. */
export type UsageView = {
  days: { date: string; requests: number }[]
  last_seven_days: number
  last_thirty_days: number
}
