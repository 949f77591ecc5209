import { expect, test } from 'bun:test'
import { bodyTable, headersTable, parametersTable, responseTable, sharedHeaders } from './field-tables.ts'
import { SAMPLE_OPENAPI } from '../../../../test/rigs/http/sample-openapi.ts'

const titles = (markup: string) =>
  [...markup.matchAll(/<th scope="col">([^<]*)<\/th>/g)].map(([, title]) => title)

test('a parameter shows its place, type, default, bounds and description', () => {
  const schema = { type: 'integer', minimum: 1, maximum: 9, default: 5 }
  const made = parametersTable(SAMPLE_OPENAPI, [
    { name: 'n', in: 'query', required: true, description: 'D', schema },
  ])
  expect(titles(made.markup)).toEqual(['Name', 'In', 'Type', 'Default', 'Bounds', 'Description'])
  for (const part of ['query', 'integer', '<code>5</code>', '1 to 9', 'required'])
    expect(made.markup).toContain(part)
})

test('a column that would be empty is left out, and so is an empty table', () => {
  const made = parametersTable(SAMPLE_OPENAPI, [{ name: 'n', in: 'query' }])
  expect(titles(made.markup)).toEqual(['Name', 'In', 'Type'])
  expect(parametersTable(SAMPLE_OPENAPI, []).markup).toBe('')
  expect(headersTable(SAMPLE_OPENAPI, undefined).markup).toBe('')
})

test('required is said of requests and not of answers', () => {
  const schema = { $ref: '#/components/schemas/Parcel' }
  expect(bodyTable(SAMPLE_OPENAPI, schema).markup).toContain('required')
  expect(responseTable(SAMPLE_OPENAPI, schema, '200').markup).not.toContain('required')
})

test('names and descriptions are escaped', () => {
  const made = parametersTable(SAMPLE_OPENAPI, [{ name: '<b>', in: 'query', description: '<script>' }])
  expect(made.markup).not.toMatch(/<b>|<script/)
})

test('headers that are described elsewhere are named, and stand in no table', () => {
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    'X-Left': { schema: { type: 'integer' } },
    'Retry-After': { $ref: '#/components/headers/Retry-After' },
  }
  const named = sharedHeaders(headers).markup
  expect(named).toContain('<code>X-Request-Id</code>, <code>Retry-After</code>')
  expect(named).not.toContain('X-Left')
  const table = headersTable(SAMPLE_OPENAPI, headers).markup
  expect(table).toContain('X-Left')
  expect(table).not.toContain('Retry-After')
  expect(sharedHeaders({}).markup).toBe('')
})
