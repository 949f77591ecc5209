import type { Selectable } from 'kysely'
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
}

/** The account without its password hash, which no caller needs. */
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
  }
}
