import { expect, test } from 'bun:test'
import { bodyTable, headersTable, parametersTable, responseTable } from './field-tables.ts'
import { SAMPLE_OPENAPI } from './sample-openapi.ts'

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
