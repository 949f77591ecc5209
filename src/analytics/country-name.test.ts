import { expect, test } from 'bun:test'
import { countryName } from './country-name.ts'

test.each([
  ['DE', 'Germany'],
  ['US', 'United States'],
  ['GB', 'United Kingdom'],
  ['JP', 'Japan'],
  ['BR', 'Brazil'],
  ['XK', 'Kosovo'],
])('%s is %s', (code, name) => {
  expect(countryName(code)).toBe(name)
})

test.each([[null], [''], ['ZZ'], ['QX'], ['D'], ['DEU'], ['de'], ['1'], ['<b>']])('%p is Unknown', (code) => {
  expect(countryName(code)).toBe('Unknown')
})
