import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../../../test/rigs/http/raw-http.ts'
import { parseTrustedProxies } from '../../network/client-ip.ts'
import { type ApiRequest, IDLE_SECONDS, openApiServer } from './api-server.ts'
import { ERROR_MESSAGE } from '../responses/plain-response.ts'

let server: ReturnType<typeof openApiServer>
/** Whose every connection is, as the fast lane would say. */
let peer: string | undefined = '127.0.0.1'

beforeAll(startServer)

afterAll(() => server.stop())

test('a path of one part that could be a code is looked up, with whatever query', async () => {
  for (const target of ['/hello', '/a-b_C9', '/abc?api_key=x', '/abc?', '/abc?/x', `/${'x'.repeat(64)}`]) {
    expect([target, await taken(target)]).toEqual([target, 'link'])
    expect(opened).toEqual([target.slice(1).split('?')[0]!])
    expect(answered.splice(0)).toEqual([404])
  }
})

test('everything else goes to the API thread, as it was sent', async () => {
  const short = [
    '/',
    '/ab',
    '/?hello',
    '/docs',
    '/API',
    '/robots.txt',
    '/hello/more',
    '/hello%2B',
    `/${'x'.repeat(65)}`,
  ]
  const long = ['/api/links?a=b', '/qr/hello', '/no/thing', '//hello', '/api', '/hello.css', '/%00']
  for (const target of [...short, ...long]) {
    expect([target, await taken(target)]).toEqual([target, 'api'])
    expect(asked[0]).toMatchObject({ target, body: undefined })
    expect(asked[0]!.request.method).toBe('GET')
  }
})

test('a longer path is looked up by its first part, and goes to the API thread if no link opens with it', async () => {
  for (const method of ['GET', 'POST', 'PUT']) {
    expect([method, await taken('/opens/page/2?a=b', method)]).toEqual([method, 'link'])
    expect([opened, answered.splice(0)]).toEqual([['opens'], [method === 'POST' ? 405 : 404]])
    expect([method, await taken('/hello/page/2?a=b', method)]).toEqual([method, 'api'])
    expect([opened, answered]).toEqual([['hello'], []])
    expect(asked[0]).toMatchObject({ target: '/hello/page/2?a=b' })
    expect(asked[0]!.request.method).toBe(method)
    expect([method, await taken('/api/opens', method), opened]).toEqual([method, 'api', []])
  }
})

test('method, headers and body come along', async () => {
  asked.length = 0
  const headers = ['X-API-Key: x', 'User-Agent: \xe9', 'X-Twice: a', 'X-Twice: b']
  const {
    status,
    body,
    headers: answered,
  } = await send(rawRequest('PUT', '/api/links/a', { headers, body: '{"a":1}' }))
  expect([status, body, answered['x-from']]).toEqual([200, 'from the API', 'api'])
  const [{ request, body: read }] = asked as [ApiRequest]
  expect([request.method, Buffer.from(read as ArrayBuffer).toString()]).toEqual(['PUT', '{"a":1}'])
  expect(Object.fromEntries(request.headers)).toMatchObject({
    'x-api-key': 'x',
    'user-agent': '\xe9',
    'x-twice': 'a, b',
  })
})

test('a body over the limit is not handed on, only that it was one', async () => {
  asked.length = 0
  await send(`POST /api/links HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(2_000_000)}`)
  expect(asked[0]!.body).toBe('too-large')
})

test('the address is the one that a trusted proxy gives, else that of who was handed over', async () => {
  const from = async (client: string, headers: string[]) => {
    asked.length = 0
    peer = client
    await send(rawRequest('GET', '/api/links', { headers }))
    peer = '127.0.0.1'
    return asked[0]!.ip
  }
  expect(await from('127.0.0.1', [])).toBe('127.0.0.1')
  expect(await from('127.0.0.1', ['X-Forwarded-For: 198.51.100.1, 203.0.113.7'])).toBe('203.0.113.7')
  expect(await from('127.0.0.9', ['X-Forwarded-For: 203.0.113.7'])).toBe('127.0.0.9')
})

test('who was not handed over is refused, whatever it says of itself and wherever it comes from', async () => {
  asked.length = opened.length = 0
  const headers = ['X-Forwarded-For: 203.0.113.7']
  for (const path of ['/hello', '/api/links']) {
    peer = undefined
    const stranger = await send(rawRequest('GET', path, { headers }))
    peer = '127.0.0.1'
    const elsewhere = { from: '127.0.0.9' } // may have a port that somebody handed over has on 127.0.0.1
    const samePort = await sendRaw(
      `http://127.0.0.1:${server.port}`,
      rawRequest('GET', path, { headers }),
      elsewhere,
    )
    for (const { status, body } of [stranger, samePort]) {
      expect([status, JSON.parse(body).success]).toEqual([403, false])
    }
  }
  expect([asked, opened]).toEqual([[], []])
})

test('a fault is answered with the envelope, and only the log says what it was', async () => {
  const { status, body, headers } = await send(rawRequest('GET', '/broken'))
  expect([status, JSON.parse(body)]).toEqual([
    500,
    { success: false, code: 'internal_error', message: ERROR_MESSAGE, errors: {} },
  ])
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  expect(
    logged.filter((line) => line.includes(headers['x-request-id']!) && line.includes('no such table')),
  ).toHaveLength(1)
})

test('an answer may take longer than a connection may be silent; afterwards it may not', async () => {
  const startedAt = Date.now()
  // It asks for the connection to be kept, and says no more.
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  let received = ''
  await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port!,
    socket: {
      open: (socket) => void socket.write(rawRequest('GET', '/takes/long')),
      data: (_, bytes) => void (received += bytes.toString()),
      close: () => resolve(Date.now()),
    },
  })
  expect((await closed) - startedAt).toBeGreaterThan(TAKES_LONG_MS)
  expect(received).toStartWith('HTTP/1.1 200 OK')
  expect(received).toContain('from the API')
})

function startServer(): void {
  const write = (message: string, fields?: object) => void logged.push(message + JSON.stringify(fields))
  server = openApiServer(
    {
      async openLink(visits) {
        const { code, isGuess } = visits.at(-1)!
        opened.push(code)
        if (code === 'broken') throw new Error('no such table: /secret/path')
        if (isGuess && code !== 'opens') return undefined
        return { status: 404, headers: {}, body: '' }
      },
      async enterPassword(visits) {
        const { code, isGuess } = visits.at(-1)!
        opened.push(code)
        if (isGuess && code !== 'opens') return undefined
        return { status: 405, headers: {}, body: '' }
      },
      answered: (status) => void answered.push(status),
      async handle(request) {
        asked.push(request)
        if (request.target === '/takes/long') await Bun.sleep(TAKES_LONG_MS)
        return new Response('from the API', { headers: { 'X-From': 'api' } })
      },
      log: { debug: write, info: write, warn: write, error: write },
      domains: noOtherDomains(),
      peers: { get: () => peer },
    },
    { host: '127.0.0.1', port: 0, trustedProxies: parseTrustedProxies('127.0.0.1') },
  )
}

/** Bun looks after idle connections every four seconds. */
const TAKES_LONG_MS = (IDLE_SECONDS + 4) * 1000

/** What went to the API thread. */
const asked: ApiRequest[] = []

/** Codes that were looked up. */
const opened: string[] = []

/** Statuses of visits that went to a client. */
const answered: number[] = []

const logged: string[] = []

const send = (request: string) => sendRaw(`http://127.0.0.1:${server.port}`, request)

async function taken(target: string, method = 'GET'): Promise<'link' | 'api'> {
  asked.length = opened.length = 0
  await send(rawRequest(method, target))
  return asked.length === 1 ? 'api' : 'link'
}
