import { expect, test } from 'bun:test'
import { forgivenCode } from './forgiven-code.ts'

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
])('%s means hello', (segment) => expect(forgivenCode(segment)).toBe('hello'))

test.each([
  '',
  'he',
  'he...',
  'hel.lo',
  'hel lo',
  'hello/x',
  '(hello',
  'hello+',
  'hello%2B',
  'hello%00',
  'hello%ff',
  'h%C3%A9llo',
  '%EF%BD%88ello',
  'hello%',
  `hello${'.'.repeat(300)}`,
  'x'.repeat(65),
])('%s means no code', (segment) => expect(forgivenCode(segment)).toBeUndefined())
