import { expect, test } from 'bun:test'
import { mediaExample, parameterExample, schemaExample } from './example-value.ts'
import { SAMPLE_OPENAPI } from '../../../../test/rigs/http/sample-openapi.ts'

test('the example of the author wins over one made from the schema', () => {
  expect(mediaExample(SAMPLE_OPENAPI, { example: 1, schema: { type: 'string' } })).toBe(1)
  expect(mediaExample(SAMPLE_OPENAPI, { examples: { first: { value: 2 } } })).toBe(2)
  expect(mediaExample(SAMPLE_OPENAPI, { schema: { examples: [3] } })).toBe(3)
  expect(mediaExample(SAMPLE_OPENAPI, {})).toBeUndefined()
})

test('an example is made from references, choices, lists and maps, and ends where a schema holds itself', () => {
  const made = schemaExample(SAMPLE_OPENAPI, { $ref: '#/components/schemas/Parcel' }) as Record<
    string,
    unknown
  >
  expect(made).toMatchObject({
    note: 'string',
    weight: 1,
    size: 's',
    target: { street: 'Kai 4' },
    stops: [{ street: 'Kai 4' }],
    marks: {},
  })
  expect(JSON.stringify(made).length).toBeLessThan(5000)
})

test('the parts of allOf are put together', () => {
  expect(schemaExample(SAMPLE_OPENAPI, { $ref: '#/components/schemas/Box' })).toEqual({
    street: 'Kai 4',
    box: 1,
  })
})

test('formats have examples that look like them', () => {
  const example = (format: string) => schemaExample(SAMPLE_OPENAPI, { type: 'string', format })
  expect(example('date-time')).toBe('2026-04-20T12:00:00.000000Z')
  expect(example('uri')).toBe('https://example.com/')
})

test('a parameter has only the example that was given', () => {
  const parameter = { name: 'page', in: 'query' }
  expect(parameterExample(SAMPLE_OPENAPI, { ...parameter, schema: { type: 'integer' } })).toBeUndefined()
  expect(parameterExample(SAMPLE_OPENAPI, { ...parameter, schema: { type: 'integer', example: 4 } })).toBe(4)
})
