import { expect, test } from 'bun:test'
import { isEmail, withoutNames } from './email-list.ts'

test.each([
  ['ann@example.com bob@example.com', ['ann@example.com', 'bob@example.com']],
  ['Ann Lee <ann@example.com> bob@example.com', ['ann@example.com', 'bob@example.com']],
  ['bob@example.com "Lee Ann" <ann@example.com>', ['bob@example.com', 'ann@example.com']],
  ['Ann<ann@example.com> <bob@example.com>', ['ann@example.com', 'bob@example.com']],
  // What is no name of an address stays, so that it is marked.
  ['ann@example.com bob', ['ann@example.com', 'bob']],
  ['ann <', ['ann', '<']],
])('addresses in %s', (text, emails) => {
  expect(withoutNames(text.split(' '))).toEqual(emails)
})

test.each([
  ['ann@example.com', true],
  ['ann@mail.example.co.jp', true],
  ['änn@bücher.example', true],
  ['ann', false],
  ['ann@', false],
  ['ann@example', false],
  ['ann@example..com', false],
  ['ann@@example.com', false],
])('%s is an address: %p', (text, isOne) => {
  expect(isEmail(text)).toBe(isOne)
})
