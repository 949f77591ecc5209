import type { Selectable } from 'kysely'
import { Refusal } from '../refusal.ts'
import type { AccountTable } from '../store/account-schema.ts'

export type Account = {
  id: number
  name: string
  email: string
  /** Null until the address is verified. */
  emailVerifiedAtUs: number | null
  plan: string
  subscriptionStatus: string
  /** Null when it never ends. */
  subscriptionExpiresAtUs: number | null
  createdAtUs: number
  role: Role
  /** Requests per hour for each key; null: what the plan allows. */
  rateLimit: number | null
  /** Null unless the operator has suspended it. */
  suspendedAtUs: number | null
  lastSignedInAtUs: number | null
  hasSecondFactor: boolean
}

/** `admin`: the operator. */
export type Role = 'user' | 'admin'

export const suspendedAccount = () => new Refusal('forbidden', 'The operator has suspended this account.')

/** The account without its secrets, which no caller needs. */
export function toAccount(row: Selectable<AccountTable>): Account {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerifiedAtUs: row.email_verified_at,
    plan: row.plan,
    subscriptionStatus: row.subscription_status,
    subscriptionExpiresAtUs: row.subscription_expires_at,
    createdAtUs: row.created_at,
    role: row.role === 'admin' ? 'admin' : 'user',
    rateLimit: row.rate_limit,
    suspendedAtUs: row.suspended_at,
    lastSignedInAtUs: row.last_signed_in_at,
    hasSecondFactor: row.totp_enabled_at !== null,
  }
}
