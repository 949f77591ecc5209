import { z } from 'zod'

const EMAIL_CHARS_MAX = 254
/** No spaces, control characters, or characters that RFC 5321 allows only in quotes: those could mean two addresses. */
const EMAIL = /^[^\s@\p{Cc}<>()[\]\\,;:"]+@[^\s@\p{Cc}<>()[\]\\,;:".]+(\.[^\s@\p{Cc}<>()[\]\\,;:".]+)+$/u
const NO_EMAIL = '?'

/**
 * The normalized email that a client sent; '' if there is none. An overlong one becomes '', because limits keep emails in memory
 * for an hour, and a megabyte each would fill it.
 */
export function readEmail(input: unknown): string {
  if (typeof input !== 'string') return ''
  return input.length > EMAIL_CHARS_MAX ? NO_EMAIL : normalEmail(input)
}

/** Ignores case only: providers differ on dots and tags. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()

const NONE_GIVEN = 'The email field is required.'

/** Whether the email exists, only sending one can tell. */
export const emailField = z
  .string(NONE_GIVEN)
  .transform(readEmail)
  .refine((email) => email !== '', { error: NONE_GIVEN, abort: true })
  .refine(
    (email) => email.length <= EMAIL_CHARS_MAX && EMAIL.test(email) && email.isWellFormed(),
    'The email must be a valid email address.',
  )

/** The body of requests that name one. */
export const emailBody = z.object({ email: emailField })
