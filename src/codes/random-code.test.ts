import { expect, test } from 'bun:test'
import { couldBeCode, isReserved } from './code-rules.ts'
import { type CodeStyle, CODE_STYLE_LENGTHS, PLAIN_CODE_STYLE } from './code-style.ts'
import { CODE_ALPHABET, newCode } from './random-code.ts'

test('the alphabet is base 62 without the five characters that are misread', () => {
  const base62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
  expect(CODE_ALPHABET).toBe(base62.filter((character) => !'0O1Il'.includes(character)).join(''))
})

test('an assigned code has seven characters of the alphabet and could be a code', () => {
  for (const code of draw(1000)) {
    expect(code).toMatch(/^[2-9A-HJ-NP-Za-km-z]{7}$/)
    expect(couldBeCode(code)).toBe(true)
  }
})

test('a longer code is drawn when asked for, and no longer than a code can be', () => {
  expect(newCode({}, 1)).toHaveLength(8)
  expect(newCode({}, 100)).toHaveLength(64)
})

test('on a domain that ignores case, one more character makes up for the letters that are the same', () => {
  expect(newCode({ ignoresCase: true })).toMatch(/^[2-9a-z]{8}$/)
})

test('a workspace can have digits or words, and a prefix', () => {
  expect(newCode({ codeStyle: { characters: 'digits', length: 6, prefix: '' } })).toMatch(/^\d{6}$/)
  expect(newCode({ codeStyle: { characters: 'words', length: 2, prefix: 'go_' } })).toMatch(
    /^go_[a-z]+-[a-z]+$/,
  )
  const codeStyle = { ...PLAIN_CODE_STYLE, length: 4, prefix: 'Sale-' }
  expect(newCode({ codeStyle })).toMatch(/^Sale-\w{4}$/)
  expect(newCode({ codeStyle, ignoresCase: true })).toMatch(/^sale-[2-9a-z]{5}$/)
})

test('the longest codes of each kind could be codes', () => {
  for (const [characters, { max }] of Object.entries(CODE_STYLE_LENGTHS)) {
    const codeStyle = { characters, length: max, prefix: 'x'.repeat(32) } as CodeStyle
    for (let n = 0; n < 200; n++) expect(couldBeCode(newCode({ codeStyle }, 4))).toBe(true)
  }
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

const draw = (count: number, length = 7): string[] =>
  Array.from({ length: count }, () => newCode({ codeStyle: { ...PLAIN_CODE_STYLE, length } }))

function chiSquare(text: string): number {
  const counts = new Map([...CODE_ALPHABET].map((character) => [character, 0]))
  for (const character of text) counts.set(character, counts.get(character)! + 1)
  const expected = text.length / CODE_ALPHABET.length
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
