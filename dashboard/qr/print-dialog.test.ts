import { expect, test } from 'bun:test'
import { type Paper, PAPERS, sheetLayout, STICKERS_MM, usualPaper } from './print-dialog.tsx'

test('as many stickers as fit', () => {
  expect(sheetLayout('a4', 90)).toEqual({ columns: 2, rows: 3, count: 6 })
  expect(sheetLayout('letter', 90)).toEqual({ columns: 2, rows: 2, count: 4 })
  expect(sheetLayout('a4', 40)).toEqual({ columns: 4, rows: 7, count: 28 })
})

test('never more than the paper holds within the printable part', () => {
  for (const paper of ['a4', 'letter'] as const) {
    for (const side of STICKERS_MM) {
      const { columns, rows } = sheetLayout(paper, side)
      expect(columns * side).toBeLessThanOrEqual(PAPERS[paper].width - 14)
      expect(rows * side).toBeLessThanOrEqual(PAPERS[paper].height - 14)
    }
  }
})

test.each([
  ['en-US', 'letter'],
  ['en', 'letter'],
  ['fr-CA', 'letter'],
  ['es-MX', 'letter'],
  ['en-GB', 'a4'],
  ['de', 'a4'],
  ['ja-JP', 'a4'],
  ['es', 'a4'],
])('in %s, the paper is %s', (locale, paper) => {
  expect(usualPaper(locale)).toBe(paper as Paper)
})
