import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendRaw } from '../../../test/rigs/http/raw-http.ts'
import type { Visit, VisitHeader } from '../../redirect/visit.ts'
import { readRequestHead } from '../redirect-server/request-head.ts'
import { readVisit, validHosts } from './read-visit.ts'
import { visitRequestOf } from './visit-request.ts'

const IP = '203.0.113.7'
const FROM = { domains: noOtherDomains(), ip: IP }

describe('a path', () => {
  test.each([
    ['/hello', 'hello', ''],
    ['/hello?', 'hello', ''],
    ['/hello?a=1&b=%20', 'hello', 'a=1&b=%20'],
    ['/hello??a', 'hello', '?a'],
    ['/hello?a=1#b?c', 'hello', 'a=1'],
    [`/hello?"'<>`, 'hello', '%22%27%3C%3E'],
  ])('%s is a plain short URL', (path, code, query) => {
    expect(read(path)).toMatchObject({ method: 'GET', host: 's.example.com', code, query, ip: IP })
  })

  test.each([
    '/',
    '/?a',
    '/ab',
    '/ab/',
    '/hello#a',
    '/a/b',
    '/hello/more',
    '/robots.txt',
    '//hello',
    '/login',
    '/Login',
    '/login/',
    '/%6Cogin',
    '/docs.',
    '/hello%',
    '/hello%FF',
    '/hello%2B',
    '/hello+',
    '/hello%00',
    '/hel.lo',
    '/hel%20lo',
    '/h%C3%A9llo',
    `/hello${'.'.repeat(400)}`,
  ])('%s is none', (path) => expect(read(path)).toBeUndefined())
})

test('a Host is valid or not, however often it is asked about', () => {
  const isValid = validHosts()
  for (const host of ['a', 'S.example.com:8080', '[::1]:80'])
    expect([isValid(host), isValid(host)]).toEqual([true, true])
  for (const host of ['', 'a, b', 'a b', 'a:b', '[::1'])
    expect([isValid(host), isValid(host)]).toEqual([false, false])
})

const HEADERS = Object.keys({
  accept: 0,
  'accept-language': 0,
  cookie: 0,
  dnt: 0,
  purpose: 0,
  referer: 0,
  'sec-fetch-mode': 0,
  'sec-gpc': 0,
  'sec-purpose': 0,
  'user-agent': 0,
  'x-moz': 0,
} satisfies Record<VisitHeader, 0>) as VisitHeader[]

describe('both servers', () => {
  let server: Bun.Server<undefined>
  let visit: Visit | undefined

  beforeAll(() => {
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        visit = readVisit(visitRequestOf(request), FROM)
        return new Response()
      },
    })
  })
  afterAll(() => server.stop(true))

  test.each<[string, string, string[]]>([
    ['no fields', '/hello', []],
    [
      'the fields of a browser',
      '/hello?utm_source=a',
      [
        'User-Agent: Mozilla/5.0',
        'Accept: text/html,*/*;q=0.8',
        'Accept-Language: de-DE,de;q=0.9',
        'Accept-Encoding: br',
        'Cookie: session=1; theme=dark',
        'Referer: https://news.example/a?b',
        'Sec-GPC: 1',
        'DNT: 0',
      ],
    ],
    ['a prefetch', '/hello', ['Sec-Purpose: prefetch;prerender', 'Purpose: prefetch', 'X-Moz: prefetch']],
    ['repeated fields', '/hello', HEADERS.flatMap((name) => [`${name}: 1`, `${name}: 2`])],
    ['names in capitals', '/hello', HEADERS.map((name) => `${name.toUpperCase()}: 1`)],
    ['no spaces after the colons', '/hello', HEADERS.map((name) => `${name}:1`)],
    ['spaces around the values', '/hello', HEADERS.map((name) => `${name}:   1 2   `)],
    ['empty values', '/hello', HEADERS.map((name) => `${name}:`)],
    ['fields that only begin alike', '/hello', HEADERS.map((name) => `${name}-x: 1`)],
    [
      'values that look like fields',
      '/hello',
      ['X: Cookie: a=1', 'Cookie: Cookie: b=2', 'Y: Accept-Language: de'],
    ],
    ['every printable character in the query', '/hello?' + printable(0x21, 0x7e), []],
    ['a query that is not encoded correctly', '/hello?a=%zz%f', []],
  ])('read the same visit from a request with %s', async (_, path, lines) => {
    for (const method of ['GET', 'HEAD']) {
      const text = [`${method} ${path} HTTP/1.1`, 'Host: S.Example.com:8080', ...lines, '', ''].join('\r\n')
      visit = undefined
      await sendRaw(
        `http://127.0.0.1:${server.port}`,
        text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
      )
      const ours = readVisit(
        readRequestHead(Buffer.from(`${text}GET /next HTTP/1.1\r\nCookie: next\r\n`))!,
        FROM,
      )
      expect(contents(ours)).toEqual(contents(visit))
      expect(ours).toMatchObject({ method, host: 'S.Example.com:8080', code: 'hello' })
    }
  })

  test('join repeated cookies with a semicolon, and everything else with a comma', () => {
    const lines = [
      'Cookie: a=1',
      'Accept-Language: de',
      'DNT: 1',
      'cookie: b=2',
      'accept-language: en',
      'dnt: 0',
    ]
    const head = readRequestHead(
      Buffer.from(['GET /hello HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n')),
    )!
    const { header } = readVisit(head, FROM)!
    expect([header('cookie'), header('accept-language'), header('dnt')]).toEqual([
      'a=1; b=2',
      'de, en',
      '1, 0',
    ])
    // @ts-expect-error The redirect server does not read it, so asking for it must not compile.
    expect(header('origin')).toBeNull()
  })
})

function contents(visit: Visit | undefined) {
  if (visit === undefined) throw new Error('No visit was read.')
  return { ...visit, header: HEADERS.map((name) => [name, visit.header(name)]) }
}

function printable(from: number, to: number): string {
  return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, n) => from + n))
}

const read = (path: string): Visit | undefined =>
  readVisit({ method: 'GET', host: 's.example.com', path, header: () => null }, FROM)
