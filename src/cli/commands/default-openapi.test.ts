import { expect, test } from 'bun:test'
import { defaultOpenApi } from './default-openapi.ts'

test('the document is that of the default settings, the same every time', () => {
  const document = JSON.parse(defaultOpenApi())
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.servers).toEqual([expect.objectContaining({ url: 'http://localhost:3000' })])
  expect(Object.keys(document.paths)).toContain('/api/links/{short_code}')
  expect(defaultOpenApi()).toBe(JSON.stringify(document, null, 2))
})
