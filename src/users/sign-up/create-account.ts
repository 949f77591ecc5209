import { sql } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { validated } from '../../errors/field-errors.ts'
import { invalid } from '../../errors/refusal.ts'
import { lock } from '../../store/engine-sql.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { createWorkspace } from '../../workspaces/workspace.ts'
import type { Account } from '../account.ts'
import { accountOf } from '../find-account.ts'
import type { UserRole } from '../user.ts'
import { REQUIRED } from '../../validation/field-rules.ts'
import { emailField } from '../email.ts'
import { hashPassword, passwordErrors, passwordField } from '../password/password.ts'

const NAME_CHARS_MAX = 255

/** A new user with a workspace on the free plan. Refused when a value breaks a rule or the email is taken. */
export async function createAccount(
  deps: { db: DurableDb; clock: Clock },
  input: NewAccount,
): Promise<Account> {
  const person = validated(newUser, input)
  const passwordHash = await hashPassword(person.password)
  const account = await transact(deps.db, (tx) =>
    insertAccount({ ...deps, db: tx }, { ...person, passwordHash, isVerified: input.isVerified }),
  )
  if (account === undefined) throw invalid({ email: ['The email has already been taken.'] })
  return account
}

export const nameField = z
  .string(REQUIRED)
  .refine((name) => name.trim() !== '', { error: REQUIRED, abort: true })
  .refine((name) => [...name].length <= NAME_CHARS_MAX, {
    error: `The :attribute may not be greater than ${NAME_CHARS_MAX} characters.`,
    abort: true,
  })
  .refine(
    (name) => !/\p{Cc}/u.test(name) && name.isWellFormed(),
    'The :attribute may not contain control characters.',
  )
  .transform((name) => name.trim())

/** The body of requests that name a user or a workspace. */
export const nameBody = z.object({ name: nameField })

/** The values as they are stored, but for the password. */
export const newUser = z
  .object({ name: nameField, email: emailField, password: passwordField })
  // Once the others are valid: the time to look for a name in the password grows faster than the name.
  .superRefine(({ name, email, password }, context) => {
    for (const message of passwordErrors(password, [name, ...partsOf(email)]))
      context.addIssue({ code: 'custom', path: ['password'], message })
  })

type NewUser = z.output<typeof newUser>
export type NewAccount = NewUser & { isVerified: boolean }

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
