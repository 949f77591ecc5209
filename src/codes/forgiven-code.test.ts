import { expect, test } from 'bun:test'
import { forgivenCodes, pastedCode } from './forgiven-code.ts'

test.each([
  'hello/',
  'hello.',
  'hello,',
  'hello)',
  'hello%20',
  'hello)."',
  'hello%3E',
  'hello%E2%80%9D',
  'hello**',
  '%E2%80%8Bhello',
  'he%C2%ADllo',
  'hello%EF%BB%BF',
  '%0Ahello%0D%0A',
  'h%65llo',
  '%68%65%6C%6c%6F',
])('%s means hello', (segment) => expect(forgivenCodes(segment).at(-1)).toBe('hello'))

test.each([
  ['he', 'he'],
  ['he...', 'he'],
  ['hel.lo,', 'hel.lo'],
  ['hello/x/', 'hello/x'],
  ['(hello', '(hello'],
  ['h%C3%A9llo.', 'héllo'],
  ['he%CC%81llo', 'héllo'],
  ['%EF%BD%88ello', 'ｈello'],
  ['x'.repeat(65), 'x'.repeat(65)],
  ['%E2%80%8Ba/', 'a'],
])('%s means the unusual code %s', (path, code) => expect(forgivenCodes(path).at(-1)).toBe(code))

test.each(['', 'hel lo', 'hello+', 'hello%2B', 'hello%00', 'hello%ff', 'hello%', `hello${'.'.repeat(300)}`])(
  '%s means no code',
  (segment) => expect(forgivenCodes(segment)).toEqual([]),
)

test('what was added is removed step by step, because a code may have it itself', () => {
  expect(forgivenCodes('it%27s(1)/')).toEqual(["it's(1)", "it's(1"])
  expect(forgivenCodes(`${encodeURIComponent('👨‍👩')}.`)).toEqual(['👨‍👩.', '👨‍👩', '👨👩'])
})

test.each([
  ['hello', 'hello'],
  ['hello+', 'hello'],
  ['hello/?a=b', 'hello'],
  ['hello+?a#b', 'hello'],
  ['a/b.c/', 'a/b.c'],
  ['%E5%86%AC', '冬'],
  ['冬#x', '冬'],
  ['a b', undefined],
  ['%', undefined],
  ['?a', undefined],
])('%s was copied with the code %s', (path, code) => expect(pastedCode(path)).toBe(code!))
