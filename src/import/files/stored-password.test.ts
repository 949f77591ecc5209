import { expect, test } from 'bun:test'
import { storedPassword } from './stored-password.ts'

test.each([`$2b$12$${'7'.repeat(53)}`, `$2y$04$${'a/.'.repeat(17)}ab`])(
  'a hash of bcrypt can be checked: %s',
  (hash) => {
    expect(storedPassword(hash)).toEqual({ passwordHash: hash })
  },
)

test.each([
  `$2b$13$${'7'.repeat(53)}`,
  '$2b$12$tooShort',
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG',
  '$P$B12345678901234567890123456789',
  '$pbkdf2-sha256$29000$abc$def',
  '$6$rounds=5000$salt$hash',
  '$1$salt$hash',
  '{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
  '{CRYPT}$6$salt$hash',
  'pbkdf2_sha256$600000$salt$hash=',
  'pbkdf2:sha256:600000$salt$hash',
  'scrypt:32768:8:1$salt$hash',
  'sha1$salt$hash',
  '5f4dcc3b5aa765d61d8327deb882cf99',
  '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19',
  '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8',
  '********',
])('another hash cannot, and no visitor would know it: %s', (hash) => {
  expect(storedPassword(hash)).toEqual({ hasUnknownPassword: true })
})

test.each(['secret', '$ecret', 'a$b$c', '$$$', 'shalom', '5f4dcc3b', '{curly}', 'sha256', '**bold**'])(
  'anything else is the password: %s',
  (password) => {
    expect(storedPassword(password)).toEqual({ password })
  },
)
