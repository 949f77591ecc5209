import { expect, test } from 'bun:test'
import { ConfigErrors, type Environment, readConfig } from './config.ts'

test.each([
  ['SMTP_URL', 'smtp://tern:hunter#2@mail.example.com'],
  ['SMTP_URL', 'smtp://tern:hunter/2@mail.example.com'],
  ['DATABASE_URL', 'postgres://tern:hunt@er/2#x@db/tern'],
  ['DATABASE_READ_URL', 'postgres://tern:hunter%2@db/tern'],
  ['CLICKHOUSE_URL', 'https://tern:hunter#2@clicks:8443/tern'],
])('a password in %s that is not percent-encoded is named, and not repeated', (name, text) => {
  const [error, ...others] = errorsOf({ DATABASE_URL: 'postgres://db/tern', [name]: text })
  expect(others.length).toBeLessThanOrEqual(1)
  expect(error).toStartWith(`${name} must be a URL such as `)
  expect(error).toEndWith(
    'In the user name and the password, percent-encode # as %23, / as %2F, ? as %3F, @ as %40 and % as %25.',
  )
  expect([error, ...others].join()).not.toMatch(/hunt/)
})

test('a percent-encoded password is read as it is', () => {
  const smtpUrl = 'smtp://ann%40example.com:a%23%2F%3F%40%25@mail.example.com:587/?name=links.example.com'
  expect(readConfig({ SMTP_URL: smtpUrl }).smtpUrl).toBe(smtpUrl)
})

function errorsOf(environment: Environment): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigErrors) return error.errors
    throw error
  }
  return []
}
