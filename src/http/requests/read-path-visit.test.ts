import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendRaw } from '../../../test/rigs/http/raw-http.ts'
import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { readPathVisit } from './read-path-visit.ts'
import { readVisit, visitRequestOf } from './read-visit.ts'

const FROM = { domains: noOtherDomains(), ip: '203.0.113.7' }
const LEFT_TO_PARSER = `/hello/../page /hello/./page /hello/page/.. /hello/%2e%2E/page /hello/.%2e
  /hello/a\\b`.split(/\s+/)
const NONE = `/ /hello /hello?a=/b /ab/page //hello/page /api/links /Dashboard/links /.well-known/hello
  /hello%2Fpage/2 /hello/a#b /hello/..%2Fpage /hello/a%2f..%2Fpage /hello/%5c%2e./page`.split(/\s+/)

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
  return readVisit(request, FROM) === undefined ? readPathVisit(request, FROM) : undefined
}
