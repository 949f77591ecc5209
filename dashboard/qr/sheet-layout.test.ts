import { expect, test } from 'bun:test'
import { PAPERS, sheetLayout, STICKERS_MM } from './sheet-layout.ts'

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
