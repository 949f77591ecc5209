import { expect, test } from 'bun:test'
import { hashPassword, passwordFaults } from './password.ts'

test.each([
  'twelve chars',
  'x'.repeat(256),
  '🔑'.repeat(12),
  // Composed and decomposed letters count the same.
  'a\u0308'.repeat(256),
])('a password of 12 to 256 characters will do, whatever they are: %#', (password) => {
  expect(passwordFaults(password)).toEqual([])
})

test.each([
  ['', 'The password field is required.'],
  [undefined, 'The password field is required.'],
  [123456789012, 'The password field is required.'],
  ['eleven char', 'The password must be at least 12 characters.'],
  ['🔑'.repeat(11), 'The password must be at least 12 characters.'],
  ['a\u0308'.repeat(11), 'The password must be at least 12 characters.'],
  ['x'.repeat(257), 'The password may not be greater than 256 characters.'],
  ['twelve chars\ud800', 'The password must be well-formed Unicode.'],
])('any other is refused with what is wrong: %#', (password, sentence) => {
  expect(passwordFaults(password)).toEqual([sentence])
})

test('a hash is argon2id with the cost that OWASP asks for, and verifies however the letters were typed', async () => {
  const hash = await hashPassword('p\u00e4ssword of Ann')
  expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await Bun.password.verify('p\u00e4ssword of Ann', hash)).toBe(true)
  expect(await Bun.password.verify('password of Ann', hash)).toBe(false)
  expect(await hashPassword('pa\u0308ssword of Ann')).not.toBe(hash)
  expect(await Bun.password.verify('p\u00e4ssword of Ann', await hashPassword('pa\u0308ssword of Ann'))).toBe(
    true,
  )
})
