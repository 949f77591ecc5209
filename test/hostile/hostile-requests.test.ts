import { describe, expect, test } from 'bun:test'
import openApi from '../../docs/openapi.json'
import { boundaryJson, boundaryTexts } from './boundary-values.ts'
import { WIRE_CASES } from './broken-wire.data.ts'
import { hostileRequest, type HostileRequest } from './hostile-requests.ts'
import { MUTATIONS } from './mutations.ts'
import { operationsOf } from './operations.ts'

const KEY = 'tern_0123456789abcdefghijABCDEFGHIJ01234567'
const operations = operationsOf(openApi)
const make = (index: number, seed = 2) =>
  hostileRequest(operations, { seed, index, key: KEY, codes: ['hello'] })
const series = Array.from({ length: 10_000 }, (_, index) => make(index))
const textOf = ({ bytes }: HostileRequest) => bytes.toString('latin1')
const texts = series.map(textOf)

test('every operation of the document is requested, with all its parameters and fields', () => {
  const described = Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}:`),
  )
  for (const start of described)
    expect([start, series.some(({ what }) => what.startsWith(start))]).toEqual([start, true])
  const names = operations.flatMap(({ query, body, headers }) =>
    [...query, ...body, ...headers].map(({ name }) => name),
  )
  expect(names).toEqual(expect.arrayContaining(['per_page', 'granularity', 'custom_code', 'Idempotency-Key']))
  for (const name of new Set(names))
    expect([name, countOf((text) => text.includes(name)) > 0]).toEqual([name, true])
})

test('every kind of mutation occurs often', () => {
  const kinds = [
    ...MUTATIONS.map(([kind]) => kind),
    ...WIRE_CASES.map(({ what }) => what.split(', ')[0]!),
    'pipelined',
  ]
  for (const kind of new Set(kinds)) {
    const count = series.filter((request) => request.kinds.includes(kind)).length
    expect([kind, count >= 20]).toEqual([kind, true])
  }
})

test('every kind of broken HTTP is sent', () => {
  for (const { what } of WIRE_CASES)
    expect([what, series.some((request) => request.what.startsWith(`${what}, among`))]).toEqual([what, true])
})

describe('ten thousand requests include', () => {
  const lists = (text: string, part: string) => text.split(part).length - 1
  const lines = (text: string, name: string) => text.split(`\r\n${name}: `).length - 1
  const cases: [what: string, isOne: (text: string, request: HostileRequest) => boolean][] = [
    ['two lengths', (text) => lines(text, 'Content-Length') === 2],
    [
      'a length and chunks',
      (text) => lines(text, 'Content-Length') > 0 && lines(text, 'Transfer-Encoding') > 0,
    ],
    ['chunks with extensions', (text) => text.includes(';a=b\r\n')],
    ['requests in the absolute form', (text) => text.includes(' http://evil.test/')],
    ['OPTIONS *', (text) => text.includes('OPTIONS * HTTP/1.1')],
    ['a TLS hello', (text) => text.includes('\x16\x03\x01')],
    ['the preface of HTTP/2', (text) => text.includes('PRI * HTTP/2.0')],
    [
      'no Host',
      (text, { method }) =>
        method === 'GET' && !/\r\nHost:/i.test(text) && text.includes(' HTTP/1.1\r\n\r\n'),
    ],
    ['folded lines', (text) => text.includes('\r\n folded')],
    ['bare line feeds', (text) => /[^\r]\n/.test(text.split('\r\n\r\n')[0]!)],
    ['NUL in heads', (text) => text.split('\r\n\r\n')[0]!.includes('\0')],
    ['heads over 16 KB', (text) => text.split('\r\n\r\n')[0]!.length > 16_384],
    ['over a hundred headers', (text) => text.split('\r\n\r\n')[0]!.split('\r\n').length > 101],
    ['doubly encoded texts', (text) => text.includes('%25')],
    ['encoded NUL', (text) => text.includes('%00')],
    ['encoded slashes', (text) => /^\S+ \S*%2f/i.test(text)],
    ['overlong UTF-8', (text) => text.includes('%c0%ae')],
    ['paths that climb', (text) => text.includes('/../')],
    ['the key __proto__', (text) => text.includes('"__proto__":')],
    ['the key constructor', (text) => text.includes('"constructor":')],
    ['keys twice in one object', (text) => /"original_url":.*"original_url":/.test(text)],
    ['lone surrogates', (text) => /\\ud[89a-f]\w\w"/.test(text)],
    ['bytes that are no UTF-8', (text) => /\r\n\r\n[^]*\xff/.test(text)],
    ['texts in conditions of rules', (text) => /"rules":\[\{"to":"[^"]*","when":\{"/.test(text)],
    ['hundreds of rules', (text) => text.includes('"rules":[') && lists(text, '"to":') > 100],
    ['thousands of tags', (text) => /"tags":\[("?[^",]*"?,){1000}/.test(text)],
    ['sets of many links', (text) => /"short_codes":\["[^"]*"\],.*"set":\{/.test(text)],
    ['labels by their ids', (text) => /^PUT \/api\/(tags|folders)\/\d+ /.test(text)],
    ['versions by their numbers', (text) => /^POST \/api\/links\/[^/]+\/versions\/\d+\/restore/.test(text)],
    ['passwords', (text) => /"password":"[^"]{127}/.test(text)],
    ['deep nesting', (text) => text.includes('['.repeat(2_000))],
    ['numbers beyond all bounds', (text) => text.includes('1e309')],
    ['marks of direction', (text) => /\\u202e|%E2%80%AE/.test(text)],
    ['an API key in the query', (text) => text.includes(`api_key=${KEY}`)],
    ['a key that is spoiled', (text) => text.includes(`${KEY}x`)],
    [
      'Idempotency-Keys of 255 and 256 characters',
      (text) => /\r\nIdempotency-Key: [ax]{255,256}\r\n/.test(text),
    ],
    ['other encodings of the content', (text) => /\r\nContent-Encoding: (gzip|br)/.test(text)],
    ['expectations', (text) => text.includes('Expect: 100-continue')],
    ['parameters twice', (text) => /[?&](page|limit|from)=([^& ]*)&\1=\2[& ]/.test(text)],
  ]

  test.each(cases)('%s', (_, isOne) => {
    expect(countOf(isOne)).toBeGreaterThan(0)
  })
})

test('a request depends only on seed and index', () => {
  for (let index = 0; index < 100; index++) {
    expect(make(index, 7).bytes.equals(make(index, 7).bytes)).toBe(true)
  }
  const differ = (one: HostileRequest[], two: HostileRequest[]) =>
    one.filter(({ bytes }, i) => !bytes.equals(two[i]!.bytes))
  const of = (seed: number) => Array.from({ length: 100 }, (_, index) => make(index, seed))
  expect(differ(of(7), of(8)).length).toBeGreaterThan(90)
})

test('broken HTTP carries no key and opens no link, so it cannot change anything', () => {
  const broken = series.filter(({ isBroken }) => isBroken)
  expect(broken.length).toBeGreaterThan(2_000)
  for (const request of broken) {
    expect(textOf(request)).not.toContain(KEY)
    expect(textOf(request)).not.toStartWith('GET /hello')
  }
})

test('boundary values are at, below and above every bound of a schema', () => {
  const lengths = boundaryTexts({ maxLength: 255 }).map(({ length }) => length)
  expect(lengths).toEqual(expect.arrayContaining([0, 254, 255, 256]))
  const code = boundaryTexts({ pattern: '^[A-Za-z0-9_-]{3,64}$' }).map(({ length }) => length)
  expect(code).toEqual(expect.arrayContaining([2, 3, 4, 63, 64, 65]))
  expect(boundaryTexts({ minimum: 1, maximum: 100 })).toEqual(
    expect.arrayContaining(['0', '1', '100', '101', '-1']),
  )
  expect(boundaryTexts({ enum: ['24h'] })).toEqual(expect.arrayContaining(['24h', '24H', '24h ']))
  expect(boundaryTexts({ format: 'uri', maxLength: 8_192 })).toContain(
    'https://example.com/'.padEnd(8_193, 'a'),
  )
  expect(boundaryJson({ maxLength: 3 })).toEqual(
    expect.arrayContaining(['null', '[]', '0', '"true"', '"aaaa"']),
  )
})

const countOf = (isOne: (text: string, request: HostileRequest) => boolean) =>
  series.filter((request, index) => isOne(texts[index]!, request)).length
