import { expect, test } from 'bun:test'
import { countryCode } from './country-code.ts'

test.each([
  ['Germany', 'DE'],
  ['United Kingdom', 'GB'],
  ['Curaçao', 'CW'],
  ['Unknown', ''],
  ['Atlantis', ''],
])('the country called %s has the code "%s"', (name, code) => {
  expect(countryCode(name)).toBe(code)
})
