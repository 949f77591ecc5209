import { expect, test } from 'bun:test'
import { mainMedia, resolve, type OpenApiDocument } from './openapi-document.ts'

const document = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  components: {
    schemas: { 'a/b~c': { type: 'string', description: 'far' }, Loop: { $ref: '#/components/schemas/Loop' } },
  },
} as OpenApiDocument

test('a reference is followed, with escaped names, and its siblings win', () => {
  const found = resolve<object>(document, {
    $ref: '#/components/schemas/a~1b~0c',
    description: 'near',
  } as object)
  expect(found).toEqual({ type: 'string', description: 'near' })
})

test('a circle, an unknown place, another document and an inherited name are empty', () => {
  for (const $ref of ['#/components/schemas/Loop', '#/no/where', 'other.json#/a', '#/constructor']) {
    expect(resolve<object>(document, { $ref })).toEqual({})
  }
})

test('JSON is the main media type, whatever else is offered', () => {
  expect(mainMedia({ 'text/csv': {}, 'application/problem+json': {} })?.type).toBe('application/problem+json')
  expect(mainMedia({ 'image/svg+xml': {} })?.type).toBe('image/svg+xml')
  expect(mainMedia(undefined)).toBeUndefined()
})
