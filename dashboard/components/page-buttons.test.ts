import { expect, test } from 'bun:test'
import { pageNumbers } from './page-buttons.tsx'

const shown = (current: number, last: number) =>
  pageNumbers(current, last)
    .map((page) => page ?? '…')
    .join(' ')

test.each([
  [1, 1, '1'],
  [1, 2, '1 2'],
  [4, 7, '1 2 3 4 5 6 7'],
  [1, 67, '1 2 3 4 5 … 67'],
  [4, 67, '1 2 3 4 5 … 67'],
  [5, 67, '1 … 4 5 6 … 67'],
  [63, 67, '1 … 62 63 64 … 67'],
  [64, 67, '1 … 63 64 65 66 67'],
  [67, 67, '1 … 63 64 65 66 67'],
  [9, 67, '1 … 8 9 10 … 67'],
])('on page %i of %i the buttons are %s', (current, last, numbers) => {
  expect(shown(current, last)).toBe(numbers)
})

test('every page of a long list is among its own buttons, which are seven at most', () => {
  for (let current = 1; current <= 30; current++) {
    const numbers = pageNumbers(current, 30)
    expect(numbers).toContain(current)
    expect(numbers.length).toBe(7)
  }
})

test('a page past the end names the pages that there are', () => {
  expect(shown(9, 3)).toBe('1 2 3')
  expect(shown(90, 30)).toBe('1 … 26 27 28 29 30')
})
