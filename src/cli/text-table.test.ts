import { expect, test } from 'bun:test'
import { textTable } from './text-table.ts'

test('columns are as wide as their widest cell, and lines end with their last letter', () => {
  const table = textTable(
    ['id', 'name'],
    [
      ['1', 'a long name'],
      ['100', ''],
    ],
  )
  expect(table).toBe('id   name\n1    a long name\n100')
})

test('a table without rows is its head', () => {
  expect(textTable(['id', 'name'], [])).toBe('id  name')
})
