import { expect, test } from 'bun:test'
import { destinationHash } from './destination-hash.ts'

test('a hash is the same in every version and on every machine, and a whole number that a number holds', () => {
  // printf 'https://example.com/' | sha256sum
  expect(destinationHash('https://example.com/')).toBe(0x0f115db062b7)
  const long = `https://example.com/${'x'.repeat(8_000)}`
  expect(destinationHash(`${long}a`)).not.toBe(destinationHash(`${long}b`))
  expect(Number.isSafeInteger(destinationHash(long))).toBe(true)
})
