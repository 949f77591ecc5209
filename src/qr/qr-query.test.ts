import { describe, expect, test } from 'bun:test'
import { Refusal } from '../errors/refusal.ts'
import type { FieldErrors } from '../errors/refusal.ts'
import { parseQrQuery } from './qr-query.ts'

const SIZE = 'The size must be an integer between 64 and 2048.'
const MARGIN = 'The margin must be an integer between 0 and 16.'
const LEVEL = 'The level must be one of L, M, Q and H.'
const FORMAT = 'The format must be svg or png.'
const COLOR = 'The color must be a hexadecimal color such as #1a2b3c.'
const BACKGROUND = 'The background must be a hexadecimal color such as #1a2b3c.'

test('without parameters the defaults hold', () => {
  expect(parseQrQuery({})).toEqual({
    format: 'svg',
    style: { size: 256, margin: 4, level: 'M', color: '#000000', background: '#ffffff' },
    saved: undefined,
  })
})

test('every parameter is taken', () => {
  expect(parseQrQuery(valid)).toEqual({
    format: 'png',
    style: { size: 512, margin: 2, level: 'Q', color: '#112233', background: '#ffeedd' },
    saved: undefined,
  })
})

test('parameters that are not ours are ignored, however often they come', () => {
  expect(parseQrQuery({ ...valid, utm_source: ['a', 'b'], ['__proto__']: ['x'] })).toEqual(
    parseQrQuery(valid),
  )
})

test.each([
  ['size', '64', { size: 64 }],
  ['size', '2048', { size: 2048 }],
  ['margin', '0', { margin: 0 }],
  ['margin', '16', { margin: 16 }],
  ['level', 'h', { level: 'H' }],
  ['level', 'L', { level: 'L' }],
  ['color', 'ABCDEF', { color: '#abcdef' }],
  ['color', '#1a2', { color: '#11aa22' }],
  ['background', 'fed', { background: '#ffeedd' }],
])('%s=%s is taken', (field, text, change) => {
  expect(parseQrQuery({ ...valid, [field]: [text] }).style).toMatchObject(change)
})

describe('a value that breaks its rule is refused', () => {
  test.each([
    ...['63', '2049', '-1', '1e9', '1e3', '256.0', '0256', '+256', ' 256', 'NaN', '0x100', '٣٠٠', ''].map(
      (text) => ['size', text, SIZE] as const,
    ),
    ...['17', '-1', '1.5', '04', 'four', ''].map((text) => ['margin', text, MARGIN] as const),
    ...['X', 'LM', 'medium', ''].map((text) => ['level', text, LEVEL] as const),
    ...['gif', 'PNG', 'image/png', ''].map((text) => ['format', text, FORMAT] as const),
    ...['red', '#12', '#1234', '##123', '#12345g', '#123456\n', '"/><script>', ''].map(
      (text) => ['color', text, COLOR] as const,
    ),
    ...['transparent', 'url(//x)', '#1234567'].map((text) => ['background', text, BACKGROUND] as const),
  ])('%s=%p', (field, text, sentence) => {
    expect(errorsOf({ ...valid, [field]: [text] })).toEqual({ [field]: [sentence] })
  })
})

const valid = {
  format: ['png'],
  size: ['512'],
  margin: ['2'],
  level: ['Q'],
  color: ['#112233'],
  background: ['#ffeedd'],
}

test.each(Object.keys(valid))('%s twice is refused, even with one value', (field) => {
  const [value] = valid[field as keyof typeof valid] as [string]
  expect(errorsOf({ ...valid, [field]: [value, value] })).toEqual({
    [field]: [`The ${field} must be given once.`],
  })
})

describe('a code that nobody could see is refused', () => {
  const sentence = 'The color must differ from the background.'

  test.each([
    ['both given', { color: ['#abcdef'], background: ['#abcdef'] }],
    ['in two spellings', { color: ['#AABBCC'], background: ['abc'] }],
    ['against the default background', { color: ['fff'] }],
    ['against the default color', { background: ['000000'] }],
  ])('%s', (_, query) => {
    expect(errorsOf(query)).toEqual({ color: [sentence] })
  })

  test('but not when the other color could not be read', () => {
    expect(errorsOf({ color: ['fff'], background: ['white'] })).toEqual({ background: [BACKGROUND] })
  })
})

test('all errors are reported at once', () => {
  const errors = errorsOf({
    format: ['gif'],
    size: ['1'],
    margin: ['99'],
    level: ['Z'],
    color: ['red'],
    background: ['blue', 'white'],
  })
  expect(errors).toEqual({
    format: [FORMAT],
    size: [SIZE],
    margin: [MARGIN],
    level: [LEVEL],
    color: [COLOR],
    background: ['The background must be given once.'],
  })
})

function errorsOf(query: Record<string, string[]>): FieldErrors {
  try {
    parseQrQuery(query)
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return error.fields
    throw error
  }
  return {}
}
