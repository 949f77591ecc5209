import { expect, test } from 'bun:test'
import { emailField, normalEmail, presentedEmail } from './email.ts'

const emailErrors = (email: unknown) =>
  emailField.safeParse(email).error?.issues.map(({ message }) => message) ?? []

test.each([
  'ann@example.com',
  'Ann.Lee+tag@sub.example.co.uk',
  'ü@exämple.de',
  `${'a'.repeat(242)}@example.com`,
])('%s can be an address', (email) => {
  expect(emailErrors(email)).toEqual([])
})

test.each([
  'ann',
  '@example.com',
  'ann@',
  'ann@example',
  'ann@@example.com',
  'ann@.com',
  'ann@example..com',
  'ann@example.com.',
  'ann lee@example.com',
  'ann@exam ple.com',
  'ann@exam\nple.com',
  'ann\u0000@example.com',
  'ann\ud800@example.com',
  `${'a'.repeat(243)}@example.com`,
  'ann@example.com,bob@example.com',
  'ann,bob@example.com',
  'ann>@example.com',
  '"ann lee"@example.com',
  'ann@[127.0.0.1]',
])('%j cannot be an address', (email) => {
  expect(emailErrors(email)).toEqual(['The email must be a valid email address.'])
})

test.each(['', undefined, null, 7, {}])('%p is no address at all', (value) => {
  expect(emailErrors(value)).toEqual(['The email field is required.'])
})

test('one mailbox has one spelling, whatever its case and the blanks around it', () => {
  expect(normalEmail('  Ann@Example.COM ')).toBe('ann@example.com')
})

test('what a client sent as an address is never long', () => {
  expect(presentedEmail.parse(' Ann@Example.COM')).toBe('ann@example.com')
  expect([undefined, null, 7, {}].map((sent) => presentedEmail.parse(sent))).toEqual(['', '', '', ''])
  for (const long of [`${'a'.repeat(1_000_000)}@example.com`, `ann@example.com${' '.repeat(1_000_000)}`]) {
    expect(presentedEmail.parse(long).length).toBeLessThan(10)
    expect(emailErrors(long)).toHaveLength(1)
  }
})
