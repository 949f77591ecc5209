const EMAIL_CHARS_MAX = 254
/** Without blanks, controls, and what RFC 5321 allows between quotes only: it could mean more than one address. */
const EMAIL = /^[^\s@\p{Cc}<>()[\]\\,;:"]+@[^\s@\p{Cc}<>()[\]\\,;:".]+(\.[^\s@\p{Cc}<>()[\]\\,;:".]+)+$/u
const NO_EMAIL = '?'

/** What is wrong with an e-mail address; nothing when it can be one. Whether it exists, only a mail can tell. */
export function emailFaults(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return ['The email field is required.']
  const isPlausible = value.length <= EMAIL_CHARS_MAX && EMAIL.test(value)
  return isPlausible && value.isWellFormed() ? [] : ['The email must be a valid email address.']
}

/**
 * An address as a client sent it, in its one spelling; '' when there is none. What is too long to be one is not kept, not
 * even for an hour by who counts tries: a megabyte each would fill the memory.
 */
export function readEmail(input: unknown): string {
  if (typeof input !== 'string') return ''
  return input.length > EMAIL_CHARS_MAX ? NO_EMAIL : normalEmail(input)
}

/** One spelling for one mailbox, as far as that is safe: providers differ on dots and tags, not on case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()
