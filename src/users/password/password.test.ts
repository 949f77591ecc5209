import { expect, spyOn, test } from 'bun:test'
import { hashPassword, passwordErrors, passwordField } from './password.ts'

/** No pattern, so that only its length is judged. */
const mixed = (length: number, accent = '') =>
  Array.from({ length }, (_, i) => 'aeiouyw'[(i * i) % 7] + accent).join('')

test.each([
  'twelve chars',
  mixed(256),
  '🔑🗝🚪🔒🔓🏠🪟🧱🌧🌤🌈🌙',
  // Composed and decomposed letters count the same.
  mixed(256, '\u0308'),
])('a password of 12 to 256 characters will do, whatever they are: %#', (password) => {
  expect(passwordErrors(password)).toEqual([])
})

test.each([
  ['', 'The password field is required.'],
  [undefined, 'The password field is required.'],
  [123456789012, 'The password field is required.'],
  ['eleven char', 'The password must be at least 12 characters.'],
  ['🔑'.repeat(11), 'The password must be at least 12 characters.'],
  ['a\u0308'.repeat(11), 'The password must be at least 12 characters.'],
  [mixed(257), 'The password may not be greater than 256 characters.'],
  ['Password1234', 'The password is too easy to guess. Avoid your name and repeated words.'],
  ['twelve chars\ud800', 'The password must be well-formed Unicode.'],
])('any other is refused with what is wrong: %#', (password, sentence) => {
  const { error } = passwordField.safeParse(password)
  expect(error!.issues.map(({ message }) => message)).toEqual([sentence])
})

test('the longest password is taken in the longest form that it can be typed in', () => {
  const password = Array.from({ length: 256 }, (_, i) => 'ᾂᾃᾄᾅᾆᾇᾒ'[(i * i) % 7])
    .join('')
    .normalize('NFD')
  expect([password.length, passwordErrors(password)]).toEqual([1_024, []])
})

test('a longer text is refused before anything is done that takes time with the square of its length', () => {
  const normalize = spyOn(String.prototype, 'normalize')
  const marks = `a${'\u0301'.repeat(600)}${'\u0316'.repeat(600)}`
  expect(passwordErrors(marks)).toEqual(['The password may not be greater than 256 characters.'])
  expect(normalize).not.toHaveBeenCalled()
  normalize.mockRestore()
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
