import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendRaw } from '../../../test/rigs/http/raw-http.ts'
import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import type { Visit } from '../../redirect/visit.ts'
import { otherVisits } from './other-visits.ts'
import { readVisit } from './read-visit.ts'
import { visitRequestOf } from './visit-request.ts'

const FROM = { domains: noOtherDomains(), ip: '203.0.113.7' }
const LEFT_TO_PARSER = `/hello/../page /hello/./page /hello/page/.. /hello/%2e%2E/page /hello/.%2e
  /hello/a\\b`.split(/\s+/)
const NONE = `/ /hello /hello?a=/b //hello/page /api/links /Dashboard/links /.well-known/hello
  /hello%2Fpage/2 /hello/a#b /hello/..%2Fpage /hello/a%2f..%2Fpage /hello/%5c%2e./page`.split(/\s+/)

test.each([
  ['/hello/', ['hello'], ''],
  ['/hello/?a=1', ['hello'], 'a=1'],
  ['/hello.', ['hello.?', 'hello'], ''],
  ['/hello),', ['hello),?', 'hello'], ''],
  ['/hello%20?a=1', ['hello'], 'a=1'],
  ['/%20hello%0A', ['hello'], ''],
  ['/he%E2%80%8Bllo%EF%BB%BF', ['hello'], ''],
  ['/hello%E2%80%9D', ['hello”?', 'hello'], ''],
  ['/h%65llo%2D1', ['hello-1'], ''],
  ['/hello%3f', ['hello'], ''],
  ['/ab', ['ab?'], ''],
  ['/docs.', ['docs.?'], ''],
  ['/ab/', ['ab?'], ''],
  ['/hel.lo?a', ['hel.lo?'], 'a'],
  ['/%E5%86%AC%E3%82%BB%E3%83%BC%E3%83%AB', ['冬セール?'], ''],
  ['/he%CC%81llo', ['héllo?'], ''],
  ['/%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9', ['👨‍👩?', '👨👩?'], ''],
  ['/a/b', ['a/b?', 'a?/b'], ''],
  ['/a/b/c/d/e/f', ['a?/b/c/d/e/f'], ''],
  ['/hello/more', ['hello/more?', 'hello?/more'], ''],
  ['/hello%2Fmore', ['hello/more?'], ''],
  [`/${'x'.repeat(65)}`, [`${'x'.repeat(65)}?`], ''],
  [`/hello${'.'.repeat(300)}`, [], ''],
])('%s can mean %j', (path, meanings, query) => {
  const visits = otherVisits({ method: 'GET', host: 's.example', path, header: () => null }, FROM)
  expect(visits.map(meaningOf)).toEqual(meanings)
  for (const visit of visits) expect(visit).toMatchObject({ query, ip: FROM.ip, host: 's.example' })
})

test.each(
  `/ /?a /hello%00 /hello#a /robots.txt /favicon.ico /login/ /%6Cogin /login/x /qr/hello //hello /hello% /hello%FF
  /hello+ /hello%2B /hel%20lo /hello%23 /a%5Cb /..%2Fhello`.split(/\s+/),
)('%s can mean no link', (path) => {
  expect(otherVisits({ method: 'GET', host: 's.example', path, header: () => null }, FROM)).toEqual([])
})

const behind = (prefix: string, id: number) => {
  const domains = { idOf: () => id, codeOn: (_: number, code: string) => code, prefixOf: () => prefix }
  return (path: string) =>
    otherVisits({ method: 'GET', host: 'go.example', path, header: () => null }, { ...FROM, domains }).map(
      (visit) => `${visit.prefix ?? ''} ${meaningOf(visit)}`,
    )
}

test('behind the prefix of a domain, a path is looked for without it, and then with it', () => {
  const read = behind('/s', 5)
  expect(read('/s/hello')).toEqual(['/s hello?', ' s/hello?', ' s?/hello', '/s hello'])
  expect(read('/s/v1.2')).toEqual(['/s v1.2?', ' s/v1.2?', ' s?/v1.2'])
  expect(read('/sale/x')).toEqual([' sale/x?', ' sale?/x'])
  expect(read('/s/')).toEqual([])
})

test('behind the path of BASE_URL are the paths of this server, and no others', () => {
  const read = behind('/links', 0)
  expect(read('/links/hello')[0]).toBe('/links hello?')
  for (const path of [
    '/links',
    '/links/',
    '/links?x',
    '/links/api/links',
    '/links/dashboard/',
    '/links/docs',
  ])
    expect([path, read(path)]).toEqual([path, []])
})

test('on a domain of its own, only what this server needs there is reserved', () => {
  const from = {
    ...FROM,
    domains: { idOf: () => 5, codeOn: (_: number, code: string) => code, prefixOf: () => '' },
  }
  const read = (path: string) =>
    otherVisits({ method: 'GET', host: 'go.example', path, header: () => null }, from).map(meaningOf)
  expect(read('/docs')).toEqual(['docs?'])
  expect(read('/api/links')).toEqual(['api/links?', 'api?/links'])
  for (const path of ['/qr', '/QR/hello', '/.well-known/gpc.json', '/robots.txt'])
    expect([path, read(path)]).toEqual([path, []])
})

const meaningOf = ({ code, path = '', isGuess }: Visit) => `${code}${isGuess ? '?' : ''}${path}`

describe('a path', () => {
  test.each([
    ['/hello/page', '/page', ''],
    ['/hello/page/2/', '/page/2/', ''],
    ['/hello/page?a=/b', '/page', 'a=/b'],
    ['/hello//page', '//page', ''],
    ['/hello/a%2Fb/%zz', '/a%2Fb/%zz', ''],
    ['/hello/...x', '/...x', ''],
    ['/hello/.well-known/..page', '/.well-known/..page', ''],
    [`/hello/"<>^\`{}|'[]@:;,`, `/%22%3C%3E%5E%60%7B%7D|'[]@:;,`, ''],
    ['/h%65llo/page', '/page', ''],
  ])('%s is behind a code', (path, behind, query) => {
    expect(read(path)).toMatchObject({ method: 'GET', code: 'hello', path: behind, query, ip: FROM.ip })
  })

  test.each([...NONE, ...LEFT_TO_PARSER, '/hello/é', '/hello/a b', '/hello/a\r\nb'])('%j is none', (path) => {
    expect(read(path)).toBeUndefined()
  })
})

describe('both servers', () => {
  let server: Bun.Server<undefined>
  let parsed = ''

  beforeAll(() => {
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        parsed = visitRequestOf(request).path
        return new Response()
      },
    })
  })
  afterAll(() => server.stop(true))

  test('read the same path of every character, encoded or not', async () => {
    for (let code = 0x21; code < 0x7f; code++) {
      const character = String.fromCharCode(code)
      const encoded = `%${code.toString(16)}`
      for (const path of [
        `/hello/a${character}b/c`,
        `/hello/${encoded}/c`,
        `/hello/${encoded}${encoded}/c`,
      ]) {
        const here = read(path)
        const there = read(await pathAtApiServer(path))
        expect([path, here?.path ?? there?.path]).toEqual([path, there?.path])
      }
    }
  })

  test.each(LEFT_TO_PARSER)('meet %s where the parser has read it', async (path) => {
    const there = await pathAtApiServer(path)
    expect(there).not.toContain('..')
    expect(there).toBe(new URL(path, 'http://s.example').pathname)
  })

  test.each(NONE)('see no path behind a code in %s', async (path) => {
    expect(read(await pathAtApiServer(path))).toBeUndefined()
  })

  async function pathAtApiServer(path: string): Promise<string> {
    await sendRaw(
      `http://127.0.0.1:${server.port}`,
      `GET ${path} HTTP/1.1\r\nHost: s.example\r\nConnection: close\r\n\r\n`,
    )
    return parsed
  }
})

/** As the servers do: a short URL first. */
function read(path: string) {
  const request = { method: 'GET', host: 's.example', path, header: () => null }
  if (readVisit(request, FROM) !== undefined) return undefined
  return otherVisits(request, FROM).find((visit) => visit.path !== undefined)
}
