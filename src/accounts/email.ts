const EMAIL_CHARS_MAX = 254

/** What is wrong with an e-mail address; nothing when it can be one. Whether it exists, only a mail can tell. */
export function emailFaults(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return ['The email field is required.']
  const isPlausible =
    value.length <= EMAIL_CHARS_MAX && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}.]+(\.[^\s@\p{Cc}.]+)+$/u.test(value)
  return isPlausible && value.isWellFormed() ? [] : ['The email must be a valid email address.']
}

/** One spelling for one mailbox, as far as that is safe: providers differ on dots and tags, not on case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()
