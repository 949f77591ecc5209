import { expect, test } from 'bun:test'
import { hashKey, hintOf, isWellFormedKey, makeKey, MASKED_KEY } from './key-format.ts'

const SECRET = 'tern_' + '0'.repeat(32)
// CRC32 of SECRET by zlib is 3971352779; in base 62 with digits before capitals before small letters.
const KEY = SECRET + '4KlOH5'

test('a key has the published shape and is well-formed', () => {
  for (let count = 0; count < 1000; count++) {
    const key = makeKey()
    expect(key).toMatch(/^tern_[A-Za-z0-9]{38}$/)
    expect(isWellFormedKey(key)).toBe(true)
  }
})

test('a thousand keys are all different', () => {
  expect(new Set(Array.from({ length: 1000 }, makeKey)).size).toBe(1000)
})

test('the secret part draws from all 62 characters', () => {
  const drawn = Array.from({ length: 500 }, () => makeKey().slice(5, 37)).join('')
  expect(new Set(drawn).size).toBe(62)
})

// Keys that are out in the world must stay valid: the checksum may never be computed otherwise.
test('a key with a known checksum is well-formed', () => {
  expect(isWellFormedKey(KEY)).toBe(true)
})

test('a key with any one character changed is not well-formed', () => {
  for (let index = 0; index < KEY.length; index++) {
    const other = KEY[index] === 'x' ? 'y' : 'x'
    expect(isWellFormedKey(KEY.slice(0, index) + other + KEY.slice(index + 1))).toBe(false)
  }
})

test('a key that is cut, longer, padded or of another case is not well-formed', () => {
  const resized = ['', 'tern_', KEY.slice(0, -1), KEY + '0']
  const padded = [` ${KEY}`, `${KEY} `, `${KEY}\n`]
  for (const text of [...resized, ...padded, KEY.toUpperCase(), MASKED_KEY]) {
    expect(isWellFormedKey(text)).toBe(false)
  }
})

test('a key is hashed with SHA-256 in hex', () => {
  // FIPS 180-2, appendix B.1
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('the masked key is as long as a key and shows nothing of it', () => {
  expect(MASKED_KEY).toBe('tern_**************************************')
  expect(MASKED_KEY).toHaveLength(makeKey().length)
})

test('a key’s hint is the prefix and its last four characters, which are of the checksum', () => {
  expect(hintOf(KEY)).toBe('tern_…lOH5')
  expect(new Set(Array.from({ length: 20 }, () => hintOf(makeKey()))).size).toBeGreaterThan(1)
})
