import { z } from 'zod'
import { comparedText } from '../validation/field-rules.ts'

const EMAIL_CHARS_MAX = 254
/** No spaces, control characters, or characters that RFC 5321 allows only in quotes: those could mean two addresses. */
const EMAIL = /^[^\s@\p{Cc}<>()[\]\\,;:"]+@[^\s@\p{Cc}<>()[\]\\,;:".]+(\.[^\s@\p{Cc}<>()[\]\\,;:".]+)+$/u
const NO_EMAIL = '?'

/** Normalized. Limits keep emails in memory for an hour, and overlong ones would fill it. */
const readEmail = (text: string): string => (text.length > EMAIL_CHARS_MAX ? NO_EMAIL : normalEmail(text))

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

/** Of an account that may not exist. What cannot be an email is not refused: it belongs to nobody. */
export const presentedEmail = comparedText.transform(readEmail)

/** The body of requests that name one. */
export const emailBody = z.object({ email: emailField })
