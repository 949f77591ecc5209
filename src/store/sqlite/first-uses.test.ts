import { afterAll, beforeAll, expect, test } from 'bun:test'
import { FirstUses } from './first-uses.ts'

let uses: FirstUses
beforeAll(() => {
  uses = new FirstUses()
})
afterAll(() => uses.close())

const MORE_THAN_ITS_CACHE = 300_000

test('a text that is used again is recognized by each of its letters, and its first place is known', () => {
  expect(['a', 'A', 'a ', 'a'].map((text, at) => uses.before(text, `line ${at}`))).toEqual([
    undefined,
    undefined,
    undefined,
    'line 0',
  ])
  expect(uses.before('a', 'line 9')).toBe('line 0')
})

test('texts that do not fit into its memory are remembered', () => {
  const codes = Array.from({ length: MORE_THAN_ITS_CACHE }, (_, at) => `${at}-${'x'.repeat(50)}`)
  expect(codes.filter((code) => uses.before(code, code) !== undefined)).toEqual([])
  expect(codes.filter((code) => uses.before(code, 'again') !== code)).toEqual([])
})
