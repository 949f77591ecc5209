import { expect, test } from 'bun:test'
import { invalid, Refusal } from '../../errors/refusal.ts'
import {
  type Incoming,
  matcherOf,
  readIdempotent,
  readInput,
  readTogether,
  refuseBadEncoding,
  routeOf,
} from './read-request.ts'

const JSON_TYPE = 'application/json'

test('a JSON object is read, whatever parameters its content type has', () => {
  for (const type of [
    JSON_TYPE,
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;x=y',
  ]) {
    expect(kindOf(type, bytes('{"title":"Vögel 🐦"}'))).toEqual({ title: 'Vögel 🐦' })
  }
})

test('a body that is too large is refused before anything else', () => {
  expect(kindOf(undefined, 'too-large')).toBe('too-large')
})

test('an empty body is malformed, whatever its type', () => {
  for (const type of [JSON_TYPE, 'text/plain', undefined]) {
    expect([kindOf(type, undefined), kindOf(type, bytes(''))]).toEqual(['malformed', 'malformed'])
  }
})

test('another content type is refused', () => {
  const types = [
    'text/plain',
    'application/jsonp',
    'application/json-seq',
    'text/json',
    '',
    undefined,
    'text/html, application/json',
    'x/application/json',
  ]
  for (const type of types) expect(kindOf(type, bytes('{}'))).toBe('not-json')
})

test('anything but an object is malformed', () => {
  for (const text of [
    '[]',
    '[{}]',
    'null',
    '1',
    '"x"',
    'true',
    '{',
    '{}{}',
    "{'a':1}",
    '{"a":}',
    ' ',
    '\0{}',
  ]) {
    expect(kindOf(JSON_TYPE, bytes(text))).toBe('malformed')
  }
})

test('bytes that are not UTF-8 are malformed, never replaced', () => {
  for (const text of ['{"a":"\xff"}', '{"a":"\xc0\x80"}', '{"a":"\xed\xa0\x80"}', '\xff\xfe{\0}\0']) {
    expect(kindOf(JSON_TYPE, raw(text))).toBe('malformed')
  }
})

test('nesting as deep as a body can be neither crashes nor counts as an object', () => {
  expect(kindOf(JSON_TYPE, bytes('['.repeat(1_000_000)))).toBe('malformed')
  const { a } = kindOf(JSON_TYPE, bytes(`{"a":${'['.repeat(300_000)}${']'.repeat(300_000)}}`)) as {
    a: unknown
  }
  expect(Array.isArray(a)).toBe(true)
})

test('__proto__ is a field like any other and touches no object', () => {
  const input = kindOf(JSON_TYPE, bytes('{"__proto__":{"title":"x"}}')) as Record<string, unknown>
  expect(Object.keys(input)).toEqual(['__proto__'])
  expect(input.title).toBeUndefined()
})

const requestWith = (key: string | undefined) => ({ method: 'POST', path: '/api/links', header: () => key })

const SENDER = { name: 'key 7', secret: 'key' }

test('a request can be repeated by its method, path, sender, key and the keyed hash of its body', () => {
  const body = bytes('The quick brown fox jumps over the lazy dog')
  expect(readIdempotent(requestWith('"first"'), body, SENDER)).toEqual({
    endpoint: 'POST /api/links by key 7',
    key: 'first',
    // The well-known example of HMAC-SHA-256.
    fingerprint: 'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
  })
})

test('without a key it is not repeatable', () => {
  expect(readIdempotent(requestWith(undefined), bytes('abc'), SENDER)).toBeUndefined()
})

test('the hash covers passwords too, and nobody without the secret of the sender can compute it', () => {
  const hashOf = (text: string, secret = 'key') =>
    readIdempotent(requestWith('a'), bytes(text), { ...SENDER, secret })!.fingerprint
  const first = hashOf('{"links":[{"title":"a","password":"one"}]}')
  expect(hashOf('{"links":[{"title":"a","password":"two"}]}')).not.toBe(first)
  expect(hashOf('{"links":[{"title":"a","password":"one"}]}', 'another')).not.toBe(first)
})

test('a path of the specification becomes a route', () => {
  expect(routeOf('/api/links')).toBe('/api/links')
  expect(routeOf('/api/links/{short_code}/toggle')).toBe('/api/links/:short_code/toggle')
})

test('a path matches whatever its parameter is, and nothing longer or shorter', () => {
  const matcher = matcherOf('/api/links/{short_code}')
  for (const path of ['/api/links/a', '/api/links/a.b', '/api/links/%2F'])
    expect(matcher.test(path)).toBe(true)
  for (const path of [
    '/api/links',
    '/api/links/',
    '/api/links/a/b',
    '/x/api/links/a',
    '/api/links/a/',
    '/API/links/a',
  ]) {
    expect(matcher.test(path)).toBe(false)
  }
})

test('a dot in a path is only a dot', () => {
  expect(matcherOf('/api/openapi.json').test('/api/openapi.json')).toBe(true)
  expect(matcherOf('/api/openapi.json').test('/api/openapiXjson')).toBe(false)
})

test('percent-encoded UTF-8 is accepted', () => {
  for (const target of ['/', '/a?b=%20', '/%F0%9F%90%A6', '/a?b=%00', '/a#%00', '/a%2Fb', '/é'])
    refuseBadEncoding(target)
})

test('a path with a NUL is not found', () => {
  for (const target of ['/%00', '/a%00b', '/a%00?b=c'])
    expect(() => refuseBadEncoding(target)).toThrow('Not found.')
})

test('anything else is refused as malformed, in path and query', () => {
  for (const bad of ['%', '%z', '%zz', '%f', '%ff', '%c0%ae', '%ED%A0%80', '%F4%90%80%80', '%E2%82']) {
    for (const target of [`/${bad}`, `/a?b=${bad}`]) {
      expect(() => refuseBadEncoding(target)).toThrow(Refusal)
      expect(() => refuseBadEncoding(target)).toThrow('The URL is not percent-encoded correctly.')
    }
  }
})

const refuse = (field: string) => () => {
  throw invalid({ [field]: [`The ${field} is wrong.`] })
}
const failureOf = (readers: Record<string, () => unknown>): Promise<unknown> =>
  readTogether(readers).catch((error) => error)

test('each value is read under its name', async () => {
  expect(await readTogether({ page: () => 2, search: async () => 'a' })).toEqual({ page: 2, search: 'a' })
})

test('all that is wrong is said at once, in the order of reading', async () => {
  const readers = { page: refuse('page'), search: () => 'a', limit: refuse('limit') }
  const failure = (await failureOf(readers)) as Refusal
  expect([failure.kind, failure.message]).toEqual(['invalid', 'The page is wrong. (and 1 more error)'])
  expect(failure.fields).toEqual({ page: ['The page is wrong.'], limit: ['The limit is wrong.'] })
})

test('other errors are thrown unchanged', async () => {
  for (const other of [new Refusal('link_not_found', 'Link not found.'), new Error('ours')]) {
    const readOther = () => {
      throw other
    }
    expect(await failureOf({ page: refuse('page'), other: readOther })).toBe(other)
  }
})

test('a field that is called as the prototype of objects is refused like any other', async () => {
  const fields = JSON.parse('{ "__proto__": ["The field is unknown."] }')
  const refuseField = () => {
    throw invalid(fields)
  }
  const failure = (await failureOf({ page: () => 2, input: refuseField })) as Refusal
  expect(Object.entries(failure.fields)).toEqual([['__proto__', ['The field is unknown.']]])
})

const bytes = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text)).buffer
const raw = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'latin1')).buffer

function kindOf(contentType: string | undefined, body: Incoming) {
  try {
    return readInput(contentType, body)
  } catch (error) {
    return error instanceof Refusal ? error.kind : error
  }
}
