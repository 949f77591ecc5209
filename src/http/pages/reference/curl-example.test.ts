import { expect, test } from 'bun:test'
import { curlExample, shellWord } from './curl-example.ts'
import { groupOperations } from './list-operations.ts'
import type { OpenApiDocument, PathItem } from './openapi-document.ts'
import { SAMPLE_OPENAPI } from '../../../../test/rigs/http/sample-openapi.ts'

const BASE = 'https://go.example'
const curls = (document: OpenApiDocument) =>
  groupOperations(document).flatMap(({ operations }) =>
    operations.map((one) => curlExample(document, one, BASE)),
  )
const curlOf = (item: PathItem) => curls({ ...SAMPLE_OPENAPI, paths: { '/a/{b}': item } })[0]

test('a read carries its examples and the key from the environment', () => {
  expect(curls(SAMPLE_OPENAPI)[0]).toBe(
    `curl 'https://go.example/parcels/42?fields=few' \\\n  -H "X-Key: $API_KEY"`,
  )
})

test('a change carries its method, its type and its body, quoted for the shell', () => {
  expect(curls(SAMPLE_OPENAPI)[1]).toBe(
    [
      'curl -X PUT https://go.example/parcels/42 \\',
      '  -H "X-Key: $API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{\n  "note": "it'\\''s <fragile>",\n  "weight": 2\n}'`,
    ].join('\n'),
  )
})

test('a public operation carries no key, and a path parameter without example is a placeholder', () => {
  expect(curlOf({ get: { security: [] } })).toBe("curl 'https://go.example/a/<b>'")
})

test('a POST with a body needs no method, one without does', () => {
  const requestBody = { content: { 'application/json': { example: 1 } } }
  expect(curlOf({ post: { security: [], requestBody } })).toStartWith("curl 'https")
  expect(curlOf({ post: { security: [] } })).toStartWith('curl -X POST ')
})

test('a bearer scheme is sent as such', () => {
  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
  const document = { ...SAMPLE_OPENAPI, components, security: [{ token: [] }], paths: { '/a': { get: {} } } }
  expect(curls(document)[0]).toContain('-H "Authorization: Bearer $API_KEY"')
})

test('only words that a shell would read otherwise are quoted', () => {
  expect(shellWord('https://a.example/b')).toBe('https://a.example/b')
  expect(shellWord('$(rm) `x` &')).toBe("'$(rm) `x` &'")
  expect(shellWord("a'b")).toBe(`'a'\\''b'`)
})

test('bytes are those of a file', () => {
  const content = { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } }
  expect(curlOf({ post: { security: [], requestBody: { content } } })).toContain('--data-binary @file')
})

test('a form is sent as one', () => {
  const content = { 'application/x-www-form-urlencoded': { example: { password: 'open sesame' } } }
  expect(curlOf({ post: { security: [], requestBody: { content } } })).toContain('-d password=open+sesame')
})
