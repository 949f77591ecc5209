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

const messagesOf = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  (result.error?.issues ?? []).map(({ message }) => message)

const NOT_A_STRING = 'The :attribute must be a string.'

describe('a title', () => {
  const LENGTH = 'The :attribute may not be greater than 255 characters.'
  const CONTROL = 'The :attribute may not contain control characters.'
  const UNICODE = 'The :attribute must be well-formed Unicode.'

  const errorsOf = (title: unknown) => messagesOf(newLink.safeParse({ original_url: URL_SENT, title }))

  test('may be up to 255 characters, in any script', () => {
    const scripts = ['Spring sale', 'Été à Zürich', '日本語', 'مرحبا', '👩‍👩‍👧 family']
    for (const title of ['', ...scripts, '<b>"bold" & more</b>', 'x'.repeat(255)]) {
      expect(errorsOf(title)).toEqual([])
    }
  })

  test('counts an emoji as one character', () => {
    expect(errorsOf('😀'.repeat(255))).toEqual([])
    expect(errorsOf('😀'.repeat(256))).toEqual([LENGTH])
    expect(errorsOf(`${'😀'.repeat(254)}xx`)).toEqual([LENGTH])
  })

  test('of 256 characters is refused', () => {
    for (const length of [256, 510, 511, 1_000_000]) expect(errorsOf('x'.repeat(length))).toEqual([LENGTH])
  })

  test('must be a string', () => {
    for (const value of [7, false, ['Spring sale'], { title: 'Spring sale' }]) {
      expect(errorsOf(value)).toEqual([NOT_A_STRING])
    }
  })

  test('has no C0 control and no DEL', () => {
    const controls = [...Array.from({ length: 32 }, (_, code) => code), 0x7f]
    for (const code of controls) expect(errorsOf(`Spring${String.fromCharCode(code)}sale`)).toEqual([CONTROL])
  })

  test('has no lone surrogate', () => {
    for (const half of ['\ud800', '\udc00']) expect(errorsOf(`Spring ${half}`)).toEqual([UNICODE])
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

  test('may have letters, numbers, dashes and underscores, from 3 to 64 characters', () => {
    for (const code of ['spring-sale', 'abc', 'A_b-9', '---', '___', '123', 'x'.repeat(64)])
      expect(errorsOf(code)).toEqual([])
  })

  test('must be a string', () => {
    for (const value of [undefined, null, 123, true, ['spring-sale'], { code: 'spring-sale' }])
      expect(errorsOf(value)).toEqual([NOT_A_STRING])
  })

  test('that is too short or too long is refused', () => {
    for (const code of ['', 'a', 'ab', 'x'.repeat(65), 'x'.repeat(1_000_000)])
      expect(errorsOf(code)).toEqual([LENGTH])
  })

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

test('a destination must be a string, and is required of a new link', () => {
  for (const original_url of [null, 7, true, [URL_SENT], {}]) {
    expect(messagesOf(newLink.safeParse({ original_url }))).toEqual([NOT_A_STRING])
    expect(messagesOf(linkEdit.safeParse({ original_url }))).toEqual([NOT_A_STRING])
  }
  expect(messagesOf(newLink.safeParse({}))).toEqual(['The :attribute field is required.'])
  expect(messagesOf(linkEdit.safeParse({}))).toEqual([])
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
