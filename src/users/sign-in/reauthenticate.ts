import { z } from 'zod'
import { invalid } from '../../errors/refusal.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { comparedText } from '../../validation/field-rules.ts'
import type { PasswordQueue } from '../password/password-queue.ts'

/** What users send to prove again who they are. */
export const proofBody = z.object({ password: comparedText })

/**
 * `password`: '' without one. `isConfirmed`: the user has confirmed in this browser, at a provider or with a passkey, that it is them.
 */
export type Proof = z.output<typeof proofBody> & { isConfirmed: boolean }

/**
 * Asks the user to prove who they are before sensitive changes (ASVS 7.5.1): with the password, or, for users who have none, with a
 * confirmation of the last minutes. Returns the hash that was compared; '' without a password.
 */
export async function reauthenticate(
  { db, passwords }: { db: CurrentDb; passwords: PasswordQueue },
  userId: number,
  { password, isConfirmed }: Proof,
): Promise<string> {
  const hash = await passwordHashOf(db, userId)
  refuseMissing(hash, { password, isConfirmed })
  if (hash !== '' && !(await passwords.verify(password, hash))) throw wrongPassword()
  return hash
}

/** Before anything counts as an attempt: there is nothing to guess. */
export async function refuseUnconfirmed(db: CurrentDb, userId: number, proof: Proof): Promise<void> {
  refuseMissing(await passwordHashOf(db, userId), proof)
}

function refuseMissing(hash: string, { password, isConfirmed }: Proof): void {
  if (hash === '') {
    if (!isConfirmed) throw unconfirmed()
  } else if (password === '') throw invalid({ password: ['Enter your password.'] })
}

async function passwordHashOf(db: CurrentDb, userId: number): Promise<string> {
  const { password_hash: hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return hash
}

export const wrongPassword = () => invalid({ password: ['The password is incorrect.'] })

const unconfirmed = () =>
  invalid({
    password: ['You have no password: first confirm that it is you, with your provider or a passkey.'],
  })
