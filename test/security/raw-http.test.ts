import { beforeAll, describe, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller, useServiceRig } from '../rigs/service/service-rig.ts'

// T32, T33: what Bun's parser lets through, and what it must go on refusing after every upgrade.

const rig = useServiceRig()
const caller = useCaller(rig)

const HOST = 'Host: localhost\r\n'

beforeAll(makeLink)

describe('framing', () => {
  const post = (headers: string, body: string) =>
    `POST /api/links HTTP/1.1\r\n${HOST}${headers}\r\n${body}GET /hello HTTP/1.1\r\n${HOST}\r\n`

  test.each<[string, string]>([
    [
      'Content-Length and Transfer-Encoding',
      post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    ],
    ['two different lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello')],
    ['a list of lengths', post('Content-Length: 5, 5\r\n', 'hello')],
    ['a negative length', post('Content-Length: -5\r\n', 'hello')],
    ['a length with a sign', post('Content-Length: +5\r\n', 'hello')],
    ['a length in hex', post('Content-Length: 0x5\r\n', 'hello')],
    ['an unknown transfer coding', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n')],
    ['a transfer coding that ends otherwise', post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n')],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n')],
    ['a chunk size that is none', post('Transfer-Encoding: chunked\r\n', 'zz\r\n\r\n')],
    ['a folded header', post('X-A: b\r\n c\r\n', '')],
    ['a header without a name', post(': b\r\n', '')],
    ['a bare CR in a header', post('X-A: a\rb\r\n', '')],
    ['a bare LF in the head', post('X-A: a\nX-B: b\r\n', '')],
    ['a NUL in a header', post('X-A: a\0b\r\n', '')],
    ['a control character in a header', post('X-A: a\x01b\r\n', '')],
    ['a header name beyond ASCII', post('X-\xe9: a\r\n', '')],
    ['bare LF throughout', 'GET /hello HTTP/1.1\nHost: localhost\n\n'],
    ['HTTP/0.9', 'GET /hello\r\n\r\n'],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a control character in the path', `GET /he\x01llo HTTP/1.1\r\n${HOST}\r\n`],
  ])('%s is refused, and the connection is closed', async (_, request) => {
    const { status, isClosed, answers, hasHung } = await send(request)
    expect([400, 501, 505, 0]).toContain(status)
    expect({ isClosed, hasHung }).toEqual({ isClosed: true, hasHung: false })
    expect(answers).toBeLessThanOrEqual(1)
  })

  test('what follows a body that is too large is never read as a request', async () => {
    const inside = rawRequest('GET', '/hello').repeat(40_000)
    const head = `POST /api/links HTTP/1.1\r\n${HOST}X-API-Key: ${caller.key}\r\nContent-Length: ${inside.length}\r\n\r\n`
    const { status, answers, text } = await send(head + inside)
    expect({ status, answers }).toEqual({ status: 413, answers: 1 })
    expect(text).not.toContain('Location')
  })

  test('pipelined requests all get responses, in order', async () => {
    const one = rawRequest('GET', '/hello')
    const health = rawRequest('GET', '/api/health')
    const create = rawRequest('POST', '/api/links', { body: one })
    const pipelines: [statuses: number[], request: string][] = [
      [[302, 302, 302], one.repeat(3)],
      [[200, 200, 200], health.repeat(3)],
      [[302, 200, 302], one + health + one],
      [[302, 401, 302, 401, 200], one + create + one + create + health],
    ]
    for (const [statuses, request] of pipelines) {
      const { text, isClosed, hasHung } = await sendRaw(rig.url, request, { answers: statuses.length })
      const received = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
      expect({ received, isClosed, hasHung }).toEqual({ received: statuses, isClosed: false, hasHung: false })
    }
  })

  test('nothing after a refused head or after the last request gets a response', async () => {
    const one = rawRequest('GET', '/hello')
    const last = rawRequest('GET', '/hello', { headers: ['Connection: close'] })
    const lastHealth = rawRequest('GET', '/api/health', { headers: ['Connection: close'] })
    const malformed = one.replace('Host', 'Ho st')
    for (const request of [
      one + malformed + one,
      one + last + one,
      lastHealth + one,
      one + lastHealth + one,
    ]) {
      const { isClosed, answers, hasHung } = await sendRaw(rig.url, request, { answers: 9 })
      const expected = request.startsWith(lastHealth) ? 1 : 2
      expect({ isClosed, answers, hasHung }).toEqual({ isClosed: true, answers: expected, hasHung: false })
    }
  })
})

describe('sizes', () => {
  test.each<[string, string]>([
    ['a header of 20 KB', rawRequest('GET', '/hello', { headers: [`X-A: ${'a'.repeat(20_000)}`] })],
    ['an address of 20 KB', rawRequest('GET', `/${'a'.repeat(20_000)}`)],
    ['a query of 20 KB', rawRequest('GET', `/hello?${'a'.repeat(20_000)}`)],
    [
      '300 headers',
      rawRequest('GET', '/hello', { headers: Array.from({ length: 300 }, (_, i) => `X-${i}: a`) }),
    ],
  ])('%s is refused', async (_, request) => {
    const { status, hasHung } = await send(request)
    expect([414, 431]).toContain(status)
    expect(hasHung).toBe(false)
  })

  test('a body of 17 MB is refused before it is read', async () => {
    const { status, isClosed } = await send(
      `POST /api/links HTTP/1.1\r\n${HOST}Content-Length: 17000000\r\n\r\n`,
    )
    expect({ status, isClosed }).toEqual({ status: 413, isClosed: true })
  })
})

describe('methods', () => {
  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s is not allowed on pages, files, short URLs and images',
    async (method) => {
      for (const path of ['/', '/docs', '/robots.txt', '/hello', '/qr/hello', '/nobody']) {
        const { status, headers, text } = await send(
          rawRequest(method, path, { headers: ['X-Secret: 4711'] }),
        )
        expect({ method, path, status, allow: headers.allow }).toEqual({
          method,
          path,
          status: 405,
          allow: 'GET, HEAD',
        })
        expect(text).not.toContain('4711')
      }
    },
  )

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'PATCH'])(
    '%s on an endpoint gets the list of allowed methods',
    async (method) => {
      const headers = [`X-API-Key: ${caller.key}`]
      const keyed = await send(rawRequest(method, '/api/links', { headers }))
      expect({ status: keyed.status, allow: keyed.headers.allow }).toEqual({
        status: 405,
        allow: 'POST, GET, HEAD',
      })
      expect(keyed.text).not.toContain(caller.key)
      const open = await send(rawRequest(method, '/api/health'))
      expect({ status: open.status, allow: open.headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' })
    },
  )

  test.each(['FOO', 'get', 'GETGET', 'G@T'])('the unknown method %s is refused', async (method) => {
    const { status, isClosed } = await send(rawRequest(method, '/hello'))
    expect([0, 400, 405, 501]).toContain(status)
    expect(isClosed).toBe(true)
  })

  test('CONNECT opens no tunnel', async () => {
    for (const target of ['localhost:443', '203.0.113.7:80']) {
      expect((await send(rawRequest('CONNECT', target))).status).toBeGreaterThanOrEqual(400)
    }
  })

  test('nobody can upgrade a connection', async () => {
    const headers = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAA',
    ]
    for (const path of ['/hello', '/api/health', '/']) {
      expect([200, 302]).toContain((await send(rawRequest('GET', path, { headers }))).status)
    }
  })
})

describe('targets', () => {
  test.each(['hello', '?x', '@example.org/', '*', '/he llo'])('the target %s is refused', async (target) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { status } = await send(rawRequest(method, target))
      expect([0, 400, 404, 405, 505]).toContain(status)
    }
  })

  test('the host of an absolute target does not show', async () => {
    const redirect = await send(rawRequest('GET', 'http://evil.test/hello'))
    expect(redirect.headers.location).toBe('https://example.com/a')
    for (const target of [
      'http://evil.test/docs',
      'http://evil.test?x',
      'http://evil.test/api/openapi.json',
    ]) {
      expect((await send(rawRequest('GET', target))).text).not.toContain('evil.test')
    }
  })
})

async function makeLink(): Promise<void> {
  await rig.call('POST', '/api/links', {
    key: caller.key,
    body: { original_url: 'https://example.com/a', custom_code: 'hello' },
  })
}

const send = (request: string) => sendRaw(rig.url, request)
