import { expect, test } from 'bun:test'
import { customCodeFaults } from './custom-code.ts'
import { isReserved, RESERVED } from './reserved.ts'

const inThreeCases = (word: string): string[] => [
  word,
  word.toUpperCase(),
  word[0]!.toUpperCase() + word.slice(1),
]

test('every reserved word is written in lower case, with the characters of a code', () => {
  for (const word of RESERVED) expect(word).toMatch(/^[a-z0-9_-]{2,64}$/)
})

test('the first path segments of ours are reserved', () => {
  for (const segment of ['api', 'qr', 'docs', 'assets', 'dashboard']) expect(isReserved(segment)).toBe(true)
})

test('a reserved word is known in every case', () => {
  const missed = [...RESERVED].flatMap(inThreeCases).filter((code) => !isReserved(code))
  expect(missed).toEqual([])
})

test('a custom code that is a reserved word is refused in every case', () => {
  const longEnough = [...RESERVED].filter((word) => word.length >= 3)
  for (const code of longEnough.flatMap(inThreeCases)) {
    expect(customCodeFaults(code)).toEqual(['The custom code is reserved.'])
  }
})

test('a word that only contains a reserved one is free', () => {
  for (const code of ['admin2', 'my-login', 'apis', 'help-me', '']) expect(isReserved(code)).toBe(false)
})

test('names that every object inherits are not taken for reserved words', () => {
  for (const code of ['constructor', '__proto__', 'toString']) expect(isReserved(code)).toBe(false)
})
