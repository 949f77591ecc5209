import { expect, test } from 'bun:test'
import { codePath, composed, couldOpen, importedCodeFault, unusualCode } from './unusual-code.ts'

test.each([
  'a',
  'go',
  'v1.2',
  '~me',
  'a/b',
  'docs/v2/a/b/c',
  '冬セール',
  'Grüße',
  '👨‍👩‍👧',
  '❤️',
  'x'.repeat(255),
  'a!b',
  '@me',
  'a+b',
  "it's",
])('%s is kept as it is', (code) => {
  expect(importedCodeFault(code)).toBeUndefined()
  expect(unusualCode(code)).toBe(code)
  expect(decodeURIComponent(codePath(code))).toBe(code)
  expect(new URL(codePath(code), 'https://s.example').pathname).toBe(`/${codePath(code)}`)
})

test.each([
  ['x'.repeat(256), 'bytes'],
  ['冬'.repeat(86), 'bytes'],
  ['a\ud800', 'Unicode'],
  ['a b', 'spaces'],
  ['a\u200bb', 'invisible'],
  ['a\nb', 'spaces'],
  ['a\0b', 'spaces'],
  ['a?b', '? # %'],
  ['a#b', '? # %'],
  ['a%20', '? # %'],
  ['a\\b', '? # %'],
  ['', 'parts'],
  ['/a', 'parts'],
  ['a/', 'parts'],
  ['a//b', 'parts'],
  ['.', 'parts'],
  ['a/../b', 'parts'],
  ['a/./b', 'parts'],
  ['a/b/c/d/e/f', 'parts'],
  ['a+', 'preview'],
])('%j is refused, because of its %s', (code, reason) => {
  expect(importedCodeFault(code)).toContain(reason)
  expect(couldOpen(code)).toBe(false)
  expect(unusualCode(code)).toBeUndefined()
})

test('codes of new links open as well, and are none of the unusual ones', () => {
  for (const code of ['abc', 'launch-2026', 'x'.repeat(64)])
    expect([couldOpen(code), unusualCode(code), codePath(code)]).toEqual([true, undefined, code])
})

test('letters and their accents are one character, unless the text is too long for any code', () => {
  expect(unusualCode('Gru\u0308ße')).toBe('Grüße')
  const long = 'u\u0308'.repeat(400)
  expect([composed(long), unusualCode(long)]).toEqual([long, undefined])
})
