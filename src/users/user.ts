import type { Selectable } from 'kysely'
import type { UserTable } from '../store/user-schema.ts'

/** A user without the secrets, which no caller needs. */
export type User = {
  id: number
  name: string
  email: string
  /** Null until the email is verified. */
  emailVerifiedAtUs: number | null
  role: UserRole
  createdAtUs: number
  lastSignedInAtUs: number | null
  /** False: they sign in at a provider, and have set none. */
  hasPassword: boolean
  hasSecondFactor: boolean
  /** Null unless the operator has suspended the user. */
  suspendedAtUs: number | null
}

/** `admin`: the operator of the instance. */
export const USER_ROLES = ['user', 'admin'] as const
export type UserRole = (typeof USER_ROLES)[number]

export const toUserRole = (text: string): UserRole => (text === 'admin' ? 'admin' : 'user')

export function toUser(row: Selectable<UserTable>): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerifiedAtUs: row.email_verified_at,
    role: toUserRole(row.role),
    createdAtUs: row.created_at,
    lastSignedInAtUs: row.last_signed_in_at,
    hasPassword: row.password_hash !== '',
    hasSecondFactor: row.totp_enabled_at !== null,
    suspendedAtUs: row.suspended_at,
  }
}
