import { expect, test } from 'bun:test'
import { couldBeCode, isReserved, RESERVED } from './code-rules.ts'

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

test('a word that only contains a reserved one is free', () => {
  for (const code of ['admin2', 'my-login', 'apis', 'help-me', '']) expect(isReserved(code)).toBe(false)
})

test('names that every object inherits are not taken for reserved words', () => {
  for (const code of ['constructor', '__proto__', 'toString']) expect(isReserved(code)).toBe(false)
})

test('letters, numbers, dashes and underscores from 3 to 64 characters could be a code', () => {
  for (const code of ['spring-sale', 'abc', 'A_b-9', '---', '___', '123', 'x'.repeat(64)])
    expect(couldBeCode(code)).toBe(true)
})

test('nothing shorter, longer, or with any other character could', () => {
  for (const code of ['', 'ab', 'x'.repeat(65), 'x'.repeat(1_000_000), 'a.b', 'a/b', 'été', 'abc\n', '\nabc'])
    expect(couldBeCode(code)).toBe(false)
})
