import { expect, test } from 'bun:test'
import { answerIn, listIn, passwordIn } from './cell-values.ts'

test.each([
  ['a, b;c|d', ['a', 'b', 'c', 'd']],
  ['["a", "b, c", 7]', ['a', 'b, c', '7']],
  ['[{"name": "a", "color": "red"}]', ['a']],
  ['[]', []],
  ['[a], b', ['[a]', 'b']],
  ['{a,"b, c","d \\"e\\""}', ['a', 'b, c', 'd "e"']],
  ['{}', []],
])('%s is a list', (text, values) => {
  expect(listIn(text, /[,;|]/)).toEqual(values)
})

test.each([
  ['WAHR', true],
  ['Ja', true],
  ['x', true],
  ['1', true],
  ['FALSCH', false],
  ['Nein', false],
  ['0', false],
  ['perhaps', undefined],
])('%s answers %p', (text, answer) => {
  expect(answerIn(text)).toBe(answer)
})

const HASH = `$2y$10$${'7'.repeat(53)}`

test.each([
  [undefined, {}],
  ['No', {}],
  ['TRUE', { hasUnknownPassword: true }],
  ['••••••', { hasUnknownPassword: true }],
  ['$argon2id$v=19$m=1', { hasUnknownPassword: true }],
  [HASH, { passwordHash: HASH }],
  ['secret', { password: 'secret' }],
])('a password that is written as %p', (text, password) => {
  expect(passwordIn(text)).toEqual(password)
})
