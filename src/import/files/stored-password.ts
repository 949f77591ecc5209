import { BCRYPT } from '../../validation/bcrypt.ts'
import type { SourceLink } from '../source.ts'

/** As programs store and show passwords that nobody can read: with these, a link would have a password that nobody knows. */
const UNREADABLE = [
  /^[*•]+$/,
  // Of crypt: `$argon2id$…`, `$P$…`, `$pbkdf2-sha256$…`, and bcrypt of a cost that is too high.
  /^\$[a-z0-9-]+\$/i,
  // Of LDAP.
  /^\{(?:s?sha|s?md5|crypt|bcrypt|argon2|pbkdf2|x-)[^}]*\}/i,
  // Of Django and Werkzeug.
  /^(?:pbkdf2|scrypt|argon2|bcrypt|md5|sha\d+)[\w:-]*\$/i,
  // The digits of MD5, of a SHA, and of MySQL behind a star.
  /^\*?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i,
]

/** What a program has stored of a password: the password itself, a hash of bcrypt, or what cannot be checked. */
export function storedPassword(
  text: string,
): Pick<SourceLink, 'password' | 'passwordHash' | 'hasUnknownPassword'> {
  if (BCRYPT.test(text)) return { passwordHash: text }
  return UNREADABLE.some((form) => form.test(text)) ? { hasUnknownPassword: true } : { password: text }
}
