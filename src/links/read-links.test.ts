import { describe, expect, test } from 'bun:test'
import type { FieldErrors } from '../errors/refusal.ts'
import { Refusal } from '../errors/refusal.ts'
import { Blocks } from './destinations/blocks.ts'
import { linkSchemas } from './link-fields.ts'
import { readLinkEdit, readNewLinks } from './read-links.ts'

const schemas = linkSchemas({
  ownHosts: new Set(['tern.example']),
  allowPrivate: false,
  blocks: new Blocks(),
})
const URL_SENT = 'HTTPS://Example.com/a'

describe('several new links', () => {
  test('are read in pieces, and others get a turn in between', async () => {
    let turns = 0
    let isRead = false
    const links = Array.from({ length: 100 }, () => ({ original_url: URL_SENT }))
    const read = readNewLinks({ links }, schemas).finally(() => (isRead = true))
    for (; !isRead; turns++) await new Promise(setImmediate)
    expect([turns >= 19, (await read).length]).toEqual([true, 100])
  })
})

describe('an edit', () => {
  const edit = (input: Record<string, unknown>) => readLinkEdit({ code: 'abc', input }, schemas)
  const refusedEdit = (input: Record<string, unknown>) => fieldsOf(() => edit(input))

  test('the code may be sent as it is; read-only and unknown fields are not looked at', () => {
    for (const custom_code of ['abc', null]) expect(edit({ custom_code })).toEqual({})
    expect(edit({ id: 'x', short_code: 7, click_count: -1, isActive: 'x' })).toEqual({})
  })

  test('another code is refused, also in another case', () => {
    for (const custom_code of ['abcd', 'ABC', '', 7])
      expect(refusedEdit({ custom_code })).toEqual({ custom_code: ['The custom code cannot be changed.'] })
  })
})

function fieldsOf(read: () => unknown): FieldErrors {
  try {
    read()
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return error.fields
    throw error
  }
  return {}
}
