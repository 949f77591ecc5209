import { expect, test } from 'bun:test'
import { isCommonPassword } from './common-passwords.ts'

const KNOWN = ['annabell', 'links.example.com', 'Ann Bell']

test.each([
  'password1234',
  'P@ssw0rd1234!',
  'passwordpassword',
  'Welcome12345',
  'letmein!!!!!!',
  'iloveyou20262026',
  'adminadmin123',
  '123456789012',
  '098765432109',
  'qwertyuiop12',
  'qwertyuiop[]\\123',
  'abcdefghijkl',
  'zyxwvutsrqpo',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  'aaaaaaaaaaaa',
  'abc1abc1abc1',
  'lalalalalala',
  '            ',
  'annabell2026',
  'AnnBell12345',
  'ann bell',
])('%s is a common password', (password) => {
  expect(isCommonPassword(password, KNOWN)).toBe(true)
})

test.each([
  'correct horse battery staple',
  'correct horse battery',
  'password of my grandmother',
  'u7#kLm2pQz9w',
  'winterreise op. 89',
  '84613 79205 44',
  'ещё один пароль',
  'annabell keeps bees',
])('%s is none', (password) => {
  expect(isCommonPassword(password, KNOWN)).toBe(false)
})
