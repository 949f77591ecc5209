const PASSWORD_CHARS_MIN = 12
const PASSWORD_CHARS_MAX = 256

/** Length is what counts (NIST SP 800-63B-4): no rules about kinds of characters. */
export function passwordFaults(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return ['The password field is required.']
  const length = [...value.normalize('NFC')].length
  if (length < PASSWORD_CHARS_MIN) return [`The password must be at least ${PASSWORD_CHARS_MIN} characters.`]
  if (length > PASSWORD_CHARS_MAX)
    return [`The password may not be greater than ${PASSWORD_CHARS_MAX} characters.`]
  return value.isWellFormed() ? [] : ['The password must be well-formed Unicode.']
}

/** Argon2id with OWASP's minimum (19 MiB, 2 passes): about 30 ms, off this thread. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password.normalize('NFC'), {
    algorithm: 'argon2id',
    memoryCost: 19_456,
    timeCost: 2,
  })
}
