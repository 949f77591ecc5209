import { expect, test } from 'bun:test'
import { Refusal } from '../../errors/refusal.ts'
import { type Incoming, readIdempotent, readInput } from './read-input.ts'

const JSON_TYPE = 'application/json'
const bytes = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text)).buffer
const raw = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'latin1')).buffer

function kindOf(contentType: string | undefined, body: Incoming) {
  try {
    return readInput(contentType, body)
  } catch (error) {
    return error instanceof Refusal ? error.kind : error
  }
}

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

test('a request can be repeated by its method, path, key and the hash of its body', () => {
  expect(readIdempotent(requestWith('"first"'), bytes('abc'))).toEqual({
    endpoint: 'POST /api/links',
    key: 'first',
    // FIPS 180-2, appendix B.1
    fingerprint: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })
})

test('without a key it is not repeatable', () => {
  expect(readIdempotent(requestWith(undefined), bytes('abc'))).toBeUndefined()
})

test('a password is no part of the hash, and everything else is', () => {
  const hashOf = (text: string) => readIdempotent(requestWith('a'), bytes(text))!.fingerprint
  const first = hashOf('{"links":[{"title":"a","password":"one"}]}')
  expect(hashOf('{"links":[{"title":"a","p\\u0061ssword":"two"}]}')).toBe(first)
  expect(hashOf('{"links":[{"title":"b","password":"one"}]}')).not.toBe(first)
  expect(hashOf('{"links":[{"title":"a"}]}')).not.toBe(first)
  expect(hashOf('{"links":[{"title":"a","password":null}]}')).not.toBe(first)
})
