import { expect, test } from 'bun:test'
import { changedPart } from './diff.tsx'

test.each([
  ['winter-preview', 'winter', ['winter', '-preview', '', '']],
  ['a/autumn?x=1', 'a/spring?x=1', ['a/', 'autumn', 'spring', '?x=1']],
  ['a a', 'a a a', ['a a', '', ' a', '']],
  ['Winter layers', 'Theirs', ['', 'Winter layers', 'Theirs', '']],
  ['go/autumn-2', 'go/aurora-2', ['go/', 'autumn', 'aurora', '-2']],
  ['one', 'two', ['', 'one', 'two', '']],
  ['same', 'same', ['same', '', '', '']],
  ['', 'new', ['', '', 'new', '']],
  // They share the first half of a surrogate pair.
  ['go 🐦!', 'go 🐧!', ['go ', '🐦', '🐧', '!']],
])('%s becomes %s', (before, after, [start, old, now, end]) => {
  expect(changedPart(before, after)).toEqual({ start: start!, before: old!, after: now!, end: end! })
})
