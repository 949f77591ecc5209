import { expect, test } from 'bun:test'
import { defaultKey, keyText } from './link-key.ts'

test('the text of a key is its code on the default domain, and no code on any other', () => {
  expect(keyText(defaultKey('hello'))).toBe('hello')
  expect(keyText({ domainId: 12, code: 'hello' })).toBe('12\nhello')
})
