import type { Clock } from '../clock.ts'
import { type FieldErrors, invalid } from '../refusal.ts'
import { isUniqueViolation } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { type Account, toAccount } from './account.ts'
import { emailFaults, normalEmail } from './email.ts'
import { hashPassword, passwordFaults } from './password.ts'

const NAME_CHARS_MAX = 255

export type NewAccount = { name: string; email: string; password: string; isVerified: boolean }

/** A new account on the free plan. Refused when a value breaks a rule or the address has an account already. */
export async function createAccount(deps: { db: Db; clock: Clock }, input: NewAccount): Promise<Account> {
  const fields: FieldErrors = {}
  const note = (field: string, faults: string[]) => void (faults.length > 0 && (fields[field] = faults))
  note('name', nameFaults(input.name))
  note('email', emailFaults(normalEmail(input.email)))
  note('password', passwordFaults(input.password))
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const now = deps.clock.nowUs()
  const row = {
    name: input.name.trim(),
    email: normalEmail(input.email),
    password_hash: await hashPassword(input.password),
    email_verified_at: input.isVerified ? now : null,
    plan: 'free',
    subscription_status: 'active',
    subscription_expires_at: null,
    created_at: now,
  }
  try {
    return toAccount(
      await deps.db.insertInto('accounts').values(row).returningAll().executeTakeFirstOrThrow(),
    )
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid({ email: ['The email has already been taken.'] })
    throw error
  }
}

function nameFaults(name: string): string[] {
  if (name.trim() === '') return ['The name field is required.']
  if ([...name].length > NAME_CHARS_MAX)
    return [`The name may not be greater than ${NAME_CHARS_MAX} characters.`]
  return /\p{Cc}/u.test(name) || !name.isWellFormed() ? ['The name may not contain control characters.'] : []
}
