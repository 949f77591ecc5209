import { expect, test } from 'bun:test'
import { wholeNumber } from './whole-number.ts'

test.each([
  ['0', 0],
  ['7', 7],
  ['999999999999999', 999_999_999_999_999],
])('%j is a whole number', (text, number) => {
  expect(wholeNumber(text, 'page')).toBe(number)
})

test.each(['', '-1', '1.5', '1e3', ' 1', '٣', '1000000000000000'])('%j is refused', (text) => {
  expect(() => wholeNumber(text, 'page')).toThrow('The page must be a whole number.')
})

test('a number below the lowest is refused', () => {
  expect(wholeNumber('1', 'page', 1)).toBe(1)
  expect(() => wholeNumber('0', 'page', 1)).toThrow('The page must be at least 1.')
})
