import { expect, test } from 'bun:test'
import { bytesText } from './bytes-text.ts'
import { refusalOf } from './upload.ts'

const MB = 1024 * 1024
const whole = (name: string, bytes: number) => ({ name, bytes, size: bytes })

test('files are taken up to 200 MB in all', () => {
  expect(refusalOf([{ name: 'a.csv', size: 100 * MB }], [whole('b.csv', 100 * MB)])).toBeUndefined()
  expect(refusalOf([{ name: 'a.csv', size: 100 * MB + 1 }], [whole('b.csv', 100 * MB)])).toBe(
    'The files of an import can have up to 200 MB in all.',
  )
})

test('an empty file, and one that is there already, are refused', () => {
  expect(refusalOf([{ name: 'a.csv', size: 0 }], [])).toBe('a.csv is empty.')
  expect(refusalOf([{ name: 'a.csv', size: 1 }], [whole('a.csv', 1)])).toBe('a.csv is there already.')
})

test('a file that was interrupted is taken once more, and another one of its name is not', () => {
  const part = { name: 'a.csv', bytes: 1, size: 2 }
  expect(refusalOf([{ name: 'a.csv', size: 2 }], [part])).toBeUndefined()
  expect(refusalOf([{ name: 'a.csv', size: 3 }], [part])).toBe('a.csv is there already.')
})

test('sizes are read at a glance', () => {
  expect([512, 45_678, 1_540_000, 200 * MB].map(bytesText)).toEqual([
    '512 bytes',
    '46 kB',
    '1.5 MB',
    '209.7 MB',
  ])
})
