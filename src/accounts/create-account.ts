import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { type FieldErrors, invalid } from '../refusal.ts'
import { lock } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { type Account, type Role, toAccount } from './account.ts'
import { emailFaults, readEmail } from './email.ts'
import { hashPassword, passwordFaults } from './password.ts'
import { DEFAULT_PLAN } from './plans.ts'

const NAME_CHARS_MAX = 255

export type NewPerson = { name: string; email: string; password: string }
export type NewAccount = NewPerson & { isVerified: boolean }

/** A new account on the free plan. Refused when a value breaks a rule or the address has an account already. */
export async function createAccount(deps: { db: Db; clock: Clock }, input: NewAccount): Promise<Account> {
  const person = readNewPerson(input)
  const passwordHash = await hashPassword(person.password)
  const account = await transact(deps.db, (tx) =>
    insertAccount({ ...deps, db: tx }, { ...person, passwordHash, isVerified: input.isVerified }),
  )
  if (account === undefined) throw invalid({ email: ['The email has already been taken.'] })
  return account
}

/** Refused with every fault of every field; the values in the form in which they are kept. */
export function readNewPerson({ name, email, password }: Record<keyof NewPerson, unknown>): NewPerson {
  const fields: FieldErrors = {}
  const note = (field: string, faults: string[]) => void (faults.length > 0 && (fields[field] = faults))
  const address = readEmail(email)
  note('name', nameFaults(name))
  note('email', emailFaults(address))
  // Looking for a name in the password takes longer than its length alone: only a good one is looked for.
  const known = fields.name === undefined ? [name as string] : []
  note('password', passwordFaults(password, [...known, ...partsOf(address)]))
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return { name: (name as string).trim(), email: address, password: password as string }
}

/** An address, its parts: what somebody who knows it would try. */
export const partsOf = (email: string): string[] => [email, ...email.split('@')]

type AccountValues = { name: string; email: string; passwordHash: string; isVerified: boolean }

/**
 * The first account of an instance is its operator's. Undefined when the address has an account already. In a
 * transaction.
 */
export async function insertAccount(
  { db, clock }: { db: Db; clock: Clock },
  { name, email, passwordHash, isVerified }: AccountValues,
): Promise<Account | undefined> {
  await lock(db, 'the first account')
  const now = clock.nowUs()
  const row = await db
    .insertInto('accounts')
    .values({
      name,
      email,
      password_hash: passwordHash,
      email_verified_at: isVerified ? now : null,
      plan: DEFAULT_PLAN,
      subscription_status: 'active',
      subscription_expires_at: null,
      created_at: now,
      role: sql<Role>`CASE WHEN EXISTS (SELECT 1 FROM accounts WHERE closed_at IS NULL) THEN 'user' ELSE 'admin' END`,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? undefined : toAccount(row)
}

export function nameFaults(name: unknown): string[] {
  if (typeof name !== 'string' || name.trim() === '') return ['The name field is required.']
  if ([...name].length > NAME_CHARS_MAX)
    return [`The name may not be greater than ${NAME_CHARS_MAX} characters.`]
  return /\p{Cc}/u.test(name) || !name.isWellFormed() ? ['The name may not contain control characters.'] : []
}
