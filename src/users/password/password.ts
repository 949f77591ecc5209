import { z } from 'zod'
import { BCRYPT } from '../../validation/bcrypt.ts'
import { isCommonPassword } from './common-passwords.ts'

const PASSWORD_CHARS_MIN = 12
const PASSWORD_CHARS_MAX = 256
/** In UTF-16 units before normalization, where one character can take four units, such as ᾂ. */
export const PASSWORD_UNITS_MAX = PASSWORD_CHARS_MAX * 4
const TOO_LONG = `The password may not be greater than ${PASSWORD_CHARS_MAX} characters.`

const NONE_GIVEN = 'The password field is required.'

/**
 * Checks length and common passwords, and has no rules about kinds of characters (NIST SP 800-63B-4). `known` is what others know
 * about the user: name and email.
 */
export function passwordErrors(value: string, known: readonly string[] = []): string[] {
  if (value === '') return [NONE_GIVEN]
  // First, because the time to normalize grows with the square of the length.
  if (value.length > PASSWORD_UNITS_MAX) return [TOO_LONG]
  const length = [...value.normalize('NFC')].length
  if (length < PASSWORD_CHARS_MIN) return [`The password must be at least ${PASSWORD_CHARS_MIN} characters.`]
  if (length > PASSWORD_CHARS_MAX) return [TOO_LONG]
  if (!value.isWellFormed()) return ['The password must be well-formed Unicode.']
  return isCommonPassword(value, known)
    ? ['The password is too easy to guess. Avoid your name and repeated words.']
    : []
}

/** For a user of whom nothing is known yet. */
export const passwordField = z.string(NONE_GIVEN).superRefine((password, context) => {
  for (const message of passwordErrors(password)) context.addIssue(message)
})

const MEMORY_KIB = 19_456
const PASSES = 2

/** Whether a hash was made with other parameters than the current ones. */
export const isOutdatedHash = (hash: string): boolean =>
  !hash.startsWith(`$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$`)

/** Argon2id with OWASP's minimum (19 MiB, 2 passes): about 30 ms, off this thread. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password.normalize('NFC'), {
    algorithm: 'argon2id',
    memoryCost: MEMORY_KIB,
    timeCost: PASSES,
  })
}

/** Bcrypt reads no more bytes of a password. */
const BCRYPT_BYTES_MAX = 72

/** `hash`: of this program, or of bcrypt, for which nothing was normalized. */
export const isPassword = (password: string, hash: string): Promise<boolean> =>
  BCRYPT.test(hash)
    ? Bun.password.verify(new TextEncoder().encode(password).subarray(0, BCRYPT_BYTES_MAX), hash)
    : Bun.password.verify(password.normalize('NFC'), hash)
