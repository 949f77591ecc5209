import { expect, test } from 'bun:test'
import { SAMPLE_OPENAPI } from '../../../../test/rigs/http/sample-openapi.ts'
import { fieldRow, fieldRows, typeLabel } from './schema-fields.ts'
import type { Schema } from './openapi-document.ts'

const parcel = { $ref: '#/components/schemas/Parcel' }
const rows = fieldRows(SAMPLE_OPENAPI, parcel)
const bounds = (schema: Schema) => fieldRow(SAMPLE_OPENAPI, schema, { path: 'x', isRequired: false }).bounds

test('nested fields stand under their path, and a recursive schema is listed once', () => {
  expect(rows.map(({ path }) => path)).toEqual([
    'note',
    'weight',
    'size',
    'target',
    'target.street',
    'target.box',
    'stops',
    'stops[].street',
    'marks',
    'inside',
  ])
})

test('types name their choices, elements and null in one way, however they are written', () => {
  expect(rows.map(({ type }) => type)).toEqual([
    'string or null',
    'number or null',
    'string',
    'object',
    'string',
    'integer',
    'array of object',
    'string',
    'map of array of string',
    'array of object',
  ])
})

test('required fields and descriptions are kept', () => {
  expect(rows.filter(({ isRequired }) => isRequired).map(({ path }) => path)).toEqual(['note'])
  expect(rows[0]?.description).toBe('A word')
})

test('bounds are read from a nullable choice too', () => {
  expect(rows[1]?.bounds).toEqual(['more than 0'])
  expect(rows[2]?.bounds).toEqual(['`"s"`, `"l"`'])
  expect(rows[6]?.bounds).toEqual(['1 to 9 elements'])
})

test('bounds are said in words, and those of the machine are not said', () => {
  expect(bounds({ type: 'integer', minimum: 1, maximum: 1000 })).toEqual(['1 to 1,000'])
  expect(bounds({ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 })).toEqual([])
  expect(bounds({ type: 'string', pattern: `^(?:${'a|'.repeat(100)}b)$` })).toEqual([])
  expect(bounds({ type: 'string', minLength: 3, maxLength: 3, pattern: '^a$' })).toEqual([
    '3 characters',
    '`^a$`',
  ])
  expect(bounds({ type: 'string', minLength: 0 })).toEqual([])
  expect(bounds({ const: true })).toEqual(['always `true`'])
  expect(bounds({ minimum: 1, exclusiveMinimum: true })).toEqual(['more than 1'])
})

test('a value without fields has a row of its own, and no schema has none', () => {
  expect(fieldRows(SAMPLE_OPENAPI, { type: 'string' }).map(({ path, type }) => [path, type])).toEqual([
    ['', 'string'],
  ])
  expect(fieldRows(SAMPLE_OPENAPI, undefined)).toEqual([])
  const nested = { type: 'object', properties: { a: { properties: { parcel } } } } as const
  const count = (depthMax: number) => fieldRows(SAMPLE_OPENAPI, nested, depthMax).length
  expect(count(1)).toBe(2)
  expect(count(2)).toBeGreaterThan(2)
})

test('formats are named, and a broken reference is any', () => {
  expect(typeLabel(SAMPLE_OPENAPI, { type: 'string', format: 'uri' })).toBe('string (uri)')
  expect(typeLabel(SAMPLE_OPENAPI, { $ref: '#/nowhere' })).toBe('any')
})
