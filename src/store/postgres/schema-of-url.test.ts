import { expect, test } from 'bun:test'
import { channelIn, schemaOfUrl } from './schema-of-url.ts'

test.each([
  ['postgres://u:p@h/db', 'postgres://u:p@h/db', undefined],
  ['postgres://u:p@h/db?schema=tern', 'postgres://u:p@h/db', 'tern'],
  ['postgres://u:p@h/db?schema=tern&sslmode=require', 'postgres://u:p@h/db?sslmode=require', 'tern'],
  ['postgres://u:p@h/db?sslmode=require&schema=tern', 'postgres://u:p@h/db?sslmode=require', 'tern'],
])('%s', (text, url, schema) => {
  expect(schemaOfUrl(text)).toEqual({ url, schema })
})

test('the channel of the usual schema has the name that it had before there were others', () => {
  expect([undefined, 'public', 'other'].map(channelIn)).toEqual([
    'tern_changes',
    'tern_changes',
    'tern_changes_other',
  ])
})
