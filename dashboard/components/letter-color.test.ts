import { expect, test } from 'bun:test'
import { letterColor } from './letter-color.ts'

test('a name always has the same of six colors', () => {
  expect(letterColor('example.com')).toBe(letterColor('example.com'))
  const colors = new Set(Array.from({ length: 60 }, (_, at) => letterColor(`host-${at}.example`)))
  expect([...colors].sort()).toEqual([1, 2, 3, 4, 5, 6].map((color) => `var(--data-${color})`))
  expect(letterColor('')).toBe('var(--data-1)')
})
