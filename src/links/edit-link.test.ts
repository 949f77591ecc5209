import { expect, test } from 'bun:test'
import { Refusal } from '../refusal.ts'
import { Blocks } from './blocks.ts'
import type { DestinationRules } from './destination.ts'
import { readLinkEdit } from './edit-link.ts'

const rules: DestinationRules = {
  ownHosts: new Set(['tern.example']),
  allowPrivate: false,
  blocks: new Blocks(),
}
const URL_SENT = 'HTTPS://Example.com/a'
const NOTHING = { destination: undefined, title: undefined, isActive: undefined }

const read = (input: Record<string, unknown>) => readLinkEdit({ code: 'abc', input }, rules)

function fieldsOf(input: Record<string, unknown>) {
  try {
    read(input)
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return error.fields
    throw error
  }
  return {}
}

test('what is absent stays as it is', () => {
  expect(read({})).toEqual(NOTHING)
})

test('what is sent is to change', () => {
  const destination = { originalUrl: URL_SENT, targetUrl: 'https://example.com/a' }
  expect(read({ original_url: URL_SENT })).toEqual({ ...NOTHING, destination })
  expect(read({ url: URL_SENT })).toEqual({ ...NOTHING, destination })
  expect(read({ url: URL_SENT, original_url: URL_SENT })).toEqual({ ...NOTHING, destination })
  expect(read({ title: 'B' })).toEqual({ ...NOTHING, title: 'B' })
  expect(read({ is_active: false })).toEqual({ ...NOTHING, isActive: false })
})

test('null clears the title', () => {
  expect(read({ title: null })).toEqual({ ...NOTHING, title: '' })
})

test('the code may be sent as it is; read-only and unknown fields are not looked at', () => {
  for (const custom_code of ['abc', null]) expect(read({ custom_code })).toEqual(NOTHING)
  expect(read({ id: 'x', short_code: 7, click_count: -1, isActive: 'x' })).toEqual(NOTHING)
})

test('another code is refused, also in another case', () => {
  for (const custom_code of ['abcd', 'ABC', '', 7])
    expect(fieldsOf({ custom_code })).toEqual({ custom_code: ['The custom code cannot be changed.'] })
})

test('a destination cannot be taken away, nor be two', () => {
  expect(fieldsOf({ original_url: null })).toEqual({ original_url: ['The original url must be a string.'] })
  expect(fieldsOf({ url: null })).toEqual({ url: ['The url must be a string.'] })
  expect(fieldsOf({ original_url: URL_SENT, url: `${URL_SENT}b` })).toEqual({
    url: ['The url and original url must be the same when both are sent.'],
  })
})

test('all faults are said at once', () => {
  expect(fieldsOf({ url: 'x', title: 7, is_active: null, custom_code: 'x' })).toEqual({
    url: ['The url must be a valid URL that starts with http:// or https://.'],
    title: ['The title must be a string.'],
    is_active: ['The is active field must be true or false.'],
    custom_code: ['The custom code cannot be changed.'],
  })
})
