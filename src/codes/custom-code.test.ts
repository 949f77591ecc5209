import { expect, test } from 'bun:test'
import { couldBeCode, customCodeFaults } from './custom-code.ts'

const NOT_A_STRING = 'The custom code must be a string.'
const LENGTH = 'The custom code must be between 3 and 64 characters.'
const CHARACTERS = 'The custom code may only contain letters, numbers, dashes and underscores.'
const RESERVED = 'The custom code is reserved.'

const fine = ['spring-sale', 'abc', 'A_b-9', '---', '___', '123', 'x'.repeat(64)]

test('letters, numbers, dashes and underscores from 3 to 64 characters are fine', () => {
  for (const code of fine) {
    expect(customCodeFaults(code)).toEqual([])
    expect(couldBeCode(code)).toBe(true)
  }
})

test('anything but a string is refused', () => {
  for (const value of [undefined, null, 123, true, ['spring-sale'], { code: 'spring-sale' }]) {
    expect(customCodeFaults(value)).toEqual([NOT_A_STRING])
  }
})

test('a code that is too short or too long is refused', () => {
  for (const code of ['', 'a', 'ab', 'x'.repeat(65), 'x'.repeat(1_000_000)]) {
    expect(customCodeFaults(code)).toEqual([LENGTH])
    expect(couldBeCode(code)).toBe(false)
  }
})

// The Cyrillic, full-width and percent-encoded spellings look like, or decode to, codes of ours: they are refused, never folded.
const strange = 'spring.sale spring/sale spring+sale spring%20 аbc Ａbc été abc😀'.split(' ')
const invisible = ['abc def', 'abc\n', '\nabc', 'abc\0', 'ab\u200bc', 'abc\ud800', 'abc\u0130']

test('a code with any other character is refused', () => {
  for (const code of [...strange, ...invisible]) {
    expect(customCodeFaults(code)).toEqual([CHARACTERS])
    expect(couldBeCode(code)).toBe(false)
  }
})

test('a code with two faults is told both', () => {
  expect(customCodeFaults('é')).toEqual([LENGTH, CHARACTERS])
})

test('a reserved word is refused, whatever its case', () => {
  for (const code of ['dashboard', 'Dashboard', 'DASHBOARD'])
    expect(customCodeFaults(code)).toEqual([RESERVED])
})

test('a reserved word that is too short is told its length only', () => {
  expect(customCodeFaults('qr')).toEqual([LENGTH])
})
