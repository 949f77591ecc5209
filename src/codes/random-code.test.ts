import { expect, test } from 'bun:test'
import { couldBeCode, isReserved } from './code-rules.ts'
import { ASSIGNED_CODE_LENGTH, CODE_ALPHABET, randomCode } from './random-code.ts'

test('the alphabet is base 62 without the five characters that are misread', () => {
  const base62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
  expect(CODE_ALPHABET).toBe(base62.filter((character) => !'0O1Il'.includes(character)).join(''))
})

test('an assigned code has seven characters of the alphabet and could be a code', () => {
  for (const code of draw(1000)) {
    expect(code).toHaveLength(ASSIGNED_CODE_LENGTH)
    expect(code).toMatch(/^[2-9A-HJ-NP-Za-km-z]{7}$/)
    expect(couldBeCode(code)).toBe(true)
  }
})

test('a longer code is drawn when asked for', () => {
  expect(randomCode(8)).toHaveLength(8)
  expect(randomCode(64)).toHaveLength(64)
})

test('every character is equally likely', () => {
  // 56 degrees of freedom: a fair source leaves these bounds less than once in 10⁸ runs, and modulo bias of a byte gives about 900.
  const statistic = chiSquare(draw(10_000).join(''))
  expect(statistic).toBeGreaterThan(12)
  expect(statistic).toBeLessThan(150)
})

test('the first and the last character are as evenly spread as the others', () => {
  const codes = draw(20_000)
  expect(chiSquare(codes.map((code) => code[0]).join(''))).toBeLessThan(150)
  expect(chiSquare(codes.map((code) => code.at(-1)).join(''))).toBeLessThan(150)
})

test('ten thousand codes of twelve characters are all different', () => {
  expect(new Set(draw(10_000, 12)).size).toBe(10_000)
})

test('a reserved word is never drawn', () => {
  // With two characters, "qr" and "me" in their four cases would come up about seventy times.
  expect(draw(30_000, 2).filter(isReserved)).toEqual([])
})

const draw = (count: number, length?: number): string[] =>
  Array.from({ length: count }, () => randomCode(length))

function chiSquare(text: string): number {
  const counts = new Map([...CODE_ALPHABET].map((character) => [character, 0]))
  for (const character of text) counts.set(character, counts.get(character)! + 1)
  const expected = text.length / CODE_ALPHABET.length
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
