import { sql } from 'kysely'
import type { Clock } from '../../runtime/clock.ts'
import { type FieldErrors, invalid } from '../../errors/refusal.ts'
import { lock } from '../../store/engine-sql.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { createWorkspace } from '../../workspaces/workspace.ts'
import type { Account } from '../account.ts'
import { accountOf } from '../find-account.ts'
import type { UserRole } from '../user.ts'
import { emailErrors, readEmail } from '../email.ts'
import { hashPassword, passwordErrors } from '../password/password.ts'

const NAME_CHARS_MAX = 255

export type NewUser = { name: string; email: string; password: string }
export type NewAccount = NewUser & { isVerified: boolean }

/** A new user with a workspace on the free plan. Refused when a value breaks a rule or the email is taken. */
export async function createAccount(
  deps: { db: DurableDb; clock: Clock },
  input: NewAccount,
): Promise<Account> {
  const person = readNewUser(input)
  const passwordHash = await hashPassword(person.password)
  const account = await transact(deps.db, (tx) =>
    insertAccount({ ...deps, db: tx }, { ...person, passwordHash, isVerified: input.isVerified }),
  )
  if (account === undefined) throw invalid({ email: ['The email has already been taken.'] })
  return account
}

/** Returns the values as they are stored. Throws with all errors of all fields. */
export function readNewUser({ name, email, password }: Record<keyof NewUser, unknown>): NewUser {
  const fields: FieldErrors = {}
  const note = (field: string, errors: string[]) => void (errors.length > 0 && (fields[field] = errors))
  const address = readEmail(email)
  note('name', nameErrors(name))
  note('email', emailErrors(address))
  // The time to look for a name in the password grows faster than the name, so only a valid name is looked for.
  const known = fields.name === undefined ? [name as string] : []
  note('password', passwordErrors(password, [...known, ...partsOf(address)]))
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return { name: (name as string).trim(), email: address, password: password as string }
}

/** An email and its parts: what somebody who knows it would try as a password. */
export const partsOf = (email: string): string[] => [email, ...email.split('@')]

type AccountValues = { name: string; email: string; passwordHash: string; isVerified: boolean }

/** The first user of an instance is its operator. Undefined when the email is taken. */
export async function insertAccount(
  { db, clock }: { db: Tx; clock: Clock },
  { name, email, passwordHash, isVerified }: AccountValues,
): Promise<Account | undefined> {
  await lock(db, 'the first account')
  const now = clock.nowUs()
  const row = await db
    .insertInto('users')
    .values({
      name,
      email,
      password_hash: passwordHash,
      email_verified_at: isVerified ? now : null,
      created_at: now,
      role: sql<UserRole>`CASE WHEN EXISTS (SELECT 1 FROM users WHERE closed_at IS NULL) THEN 'user' ELSE 'admin' END`,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const workspaceId = await createWorkspace(db, { name, ownerId: row.id, nowUs: now })
  return accountOf(db, { workspaceId, userId: row.id })
}

export function nameErrors(name: unknown): string[] {
  if (typeof name !== 'string' || name.trim() === '') return ['The name field is required.']
  if ([...name].length > NAME_CHARS_MAX)
    return [`The name may not be greater than ${NAME_CHARS_MAX} characters.`]
  return /\p{Cc}/u.test(name) || !name.isWellFormed() ? ['The name may not contain control characters.'] : []
}
