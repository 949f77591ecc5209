import { describe, expect, test } from 'bun:test'
import { RESERVED } from '../codes/code-rules.ts'
import { Blocks } from './destinations/blocks.ts'
import { destinationHash } from '../store/destination-hash.ts'
import { customCode } from './fields/basic-fields.ts'
import { FIELD_COLUMNS, linkColumns, linkSchemas, OPTION_COLUMNS } from './link-fields.ts'

const { newLink, linkEdit } = linkSchemas({
  ownHosts: new Set(['tern.example']),
  allowPrivate: false,
  blocks: new Blocks(),
})
const URL_SENT = 'https://example.com/a'

describe('a title', () => {
  const LENGTH = 'The :attribute may not be greater than 255 characters.'
  const CONTROL = 'The :attribute may not contain control characters.'

  const errorsOf = (title: unknown) => messagesOf(newLink.safeParse({ original_url: URL_SENT, title }))

  test('counts an emoji as one character', () => {
    expect(errorsOf('😀'.repeat(255))).toEqual([])
    expect(errorsOf('😀'.repeat(256))).toEqual([LENGTH])
    expect(errorsOf(`${'😀'.repeat(254)}xx`)).toEqual([LENGTH])
  })

  test('has no C0 control and no DEL', () => {
    const controls = [...Array.from({ length: 32 }, (_, code) => code), 0x7f]
    for (const code of controls) expect(errorsOf(`Spring${String.fromCharCode(code)}sale`)).toEqual([CONTROL])
  })

  test('with two errors gets both', () => {
    expect(errorsOf('\n'.repeat(256))).toEqual([LENGTH, CONTROL])
  })
})

describe('a custom code', () => {
  const LENGTH = 'The :attribute must be between 3 and 64 characters.'
  const CHARACTERS = 'The :attribute may only contain letters, numbers, dashes and underscores.'
  const RESERVED_WORD = 'The :attribute is reserved.'

  const errorsOf = (code: unknown) => messagesOf(customCode.safeParse(code))

  // The Cyrillic, full-width and percent-encoded spellings look like codes, or decode to them: refused, never folded.
  const strange = 'spring.sale spring/sale spring+sale spring%20 аbc Ａbc été abc😀'.split(' ')
  const invisible = ['abc def', 'abc\n', '\nabc', 'abc\0', 'ab\u200bc', 'abc\ud800', 'abc\u0130']

  test('with any other character is refused', () => {
    for (const code of [...strange, ...invisible]) expect(errorsOf(code)).toEqual([CHARACTERS])
  })

  test('with two errors gets both', () => {
    expect(errorsOf('é')).toEqual([LENGTH, CHARACTERS])
  })

  test('may not be a reserved word, whatever its case', () => {
    const longEnough = [...RESERVED].filter((word) => word.length >= 3)
    for (const word of longEnough)
      for (const code of [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)])
        expect(errorsOf(code)).toEqual([RESERVED_WORD])
  })

  test('that is reserved and too short gets the error about its length only', () => {
    expect(errorsOf('qr')).toEqual([LENGTH])
  })
})

test('every field has its columns, and a field that is not named has none', () => {
  const input = { original_url: 'HTTPS://Example.com/a', title: 'A', is_active: false }
  const columns = {
    original_url: 'HTTPS://Example.com/a',
    target_url: 'https://example.com/a',
    destination_hash: destinationHash('https://example.com/a'),
    title: 'A',
    is_active: 0,
  }
  const without = Object.fromEntries(OPTION_COLUMNS.names.map((name) => [name, undefined]))
  expect(linkColumns(newLink.parse(input)) as object).toEqual({ ...columns, ...without })
  expect(linkColumns(linkEdit.parse(input)) as object).toEqual({ ...columns, ...without })
  expect(Object.keys(columns)).toEqual([...FIELD_COLUMNS.names])
  expect(linkColumns(newLink.parse({ original_url: URL_SENT }))).toMatchObject({ target_url: null })
  for (const value of Object.values(linkColumns({}))) expect(value).toBeUndefined()
})

const messagesOf = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  (result.error?.issues ?? []).map(({ message }) => message)
