import { beforeAll, describe, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { type TestAnswer, useCaller, useOwnServiceRig } from '../rigs/service/service-rig.ts'

// T9, T10 and the headers that the standards ask for.

const BASE_URL = 'https://go.example.org'
const CODE = 'hello'

const rig = useOwnServiceRig({ BASE_URL })
const caller = useCaller(rig)

beforeAll(makeLinks)

describe('the Host header', () => {
  const withHost = (lines: string, path = `/${CODE}`) => `GET ${path} HTTP/1.1\r\n${lines}\r\n`

  test.each<[string, string]>([
    ['missing', withHost('')],
    ['missing, and HTTP/1.0', `GET /${CODE} HTTP/1.0\r\n\r\n`],
    ['repeated', withHost('Host: a.test\r\nHost: b.test\r\n')],
    ['a list', withHost('Host: a.test, b.test\r\n')],
    ['empty', withHost('Host: \r\n')],
    ['two words', withHost('Host: a b\r\n')],
    ['a path', withHost('Host: a.test/b\r\n')],
    ['with a user', withHost('Host: me@a.test\r\n')],
    ['a port that is none', withHost('Host: a.test:http\r\n')],
    ['beyond ASCII', withHost('Host: \xe4.test\r\n')],
    ['percent-encoded', withHost('Host: %61.test\r\n')],
    ['repeated, for the API', withHost('Host: a.test\r\nHost: b.test\r\n', '/api/health')],
  ])('%s gets 400', async (_, request) => {
    const { status, text } = await sendRaw(rig.url, request)
    expect(status).toBe(400)
    expect(text).not.toContain('.test')
  })

  test('of another host changes nothing and is not echoed', async () => {
    const headers = { Host: 'evil.test' }
    const made = await rig.call('POST', '/api/links', {
      key: caller.key,
      body: { original_url: 'https://example.com/b' },
      headers,
    })
    expect(made.body.data.short_url).toStartWith(`${BASE_URL}/`)
    expect(made.body.data.qr_code_url).toStartWith(`${BASE_URL}/qr/`)
    for (const path of [
      '/',
      '/docs',
      '/nobody',
      '/api/openapi.json',
      '/qr/hello',
      '/.well-known/security.txt',
    ]) {
      const { text, headers: answered } = await get(path, { ...headers, Accept: 'text/html' })
      expect(text + JSON.stringify([...answered])).not.toContain('evil.test')
    }
    const asked = await get(`/qr/${CODE}`, headers)
    expect(asked.text).toBe((await get(`/qr/${CODE}`)).text)
  })
})

test('no response depends on a header that claims another host, method or path', async () => {
  const misleading = {
    'X-Forwarded-Host': 'evil.test',
    'X-Forwarded-Proto': 'http',
    'X-Forwarded-Port': '81',
    'X-Host': 'evil.test',
    'X-Original-URL': '/api/account',
    'X-Rewrite-URL': '/api/account',
    'X-HTTP-Method-Override': 'DELETE',
    'X-HTTP-Method': 'DELETE',
    'X-Method-Override': 'DELETE',
    Forwarded: 'for=203.0.113.7;host=evil.test;proto=http',
    Via: '1.1 evil.test',
    Origin: 'https://evil.test',
    Range: 'bytes=0-1',
    'If-None-Match': '*',
  }
  for (const path of [
    '/nobody',
    '/',
    '/robots.txt',
    `/api/links/${CODE}`,
    `/api/info/${CODE}`,
    `/qr/${CODE}`,
    // Last, because its clicks are counted in the responses of others.
    `/${CODE}`,
  ]) {
    const plain = await get(path, withKey())
    const misled = await get(path, { ...withKey(), ...misleading })
    const visible = ({ status, text, headers }: TestAnswer) => [
      status,
      text,
      headers.get('location'),
      headers.get('cache-control'),
    ]
    expect(visible(misled)).toEqual(visible(plain))
  }
  const form = await rig.call('POST', `/api/links/${CODE}/toggle?_method=DELETE`, { key: caller.key })
  expect(form.body.data).toEqual({ is_active: false })
  await rig.call('POST', `/api/links/${CODE}/toggle`, { key: caller.key })
})

test('a response with a key in it is not served under a path that looks like a file', async () => {
  for (const suffix of ['.css', '.js', '/x.css', ';x.css', '%2fx.css', '%00.css', '%0a.css']) {
    expect((await get(`/api/links/${CODE}${suffix}`, withKey())).status).toBe(404)
    expect((await get(`/api/account${suffix}`, withKey())).status).toBe(404)
  }
})

describe('headers', () => {
  const NOTHING = "default-src 'none'; frame-ancestors 'none'"

  /** Every kind of answer: what is asked, and how. */
  test.each<[string, string, Record<string, string>?]>([
    ['a redirect', `/${CODE}`],
    ['a link that is switched off', '/asleep'],
    ['a link that is switched off, as a page', '/asleep', { Accept: 'text/html' }],
    ['an unknown link', '/nobody'],
    ['an unknown link, as a page', '/nobody', { Accept: 'text/html' }],
    ['an unknown path', '/no/thing'],
    ['an unknown path, as a page', '/no/thing', { Accept: 'text/html' }],
    ['a request without a key', '/api/links'],
    ['a request without a key, and without a path', '/api'],
    ['an unknown endpoint', '/api/nothing', { 'X-API-Key': 'KEY' }],
    ['a list', '/api/links', { 'X-API-Key': 'KEY' }],
    ['a list, its path encoded', '/%61pi/links', { 'X-API-Key': 'KEY' }],
    ['a list, its path with dots', '/docs/../api/links', { 'X-API-Key': 'KEY' }],
    ['public information', `/api/info/${CODE}`],
    ['the health check', '/api/health'],
    ['the OpenAPI document', '/api/openapi.json'],
    ['a QR code', `/qr/${CODE}`],
    ['a QR code that is refused', `/qr/${CODE}?size=1`],
    ['the landing page', '/'],
    ['the reference', '/docs'],
    ['the stylesheet', '/assets/site.css'],
    ['security.txt', '/.well-known/security.txt'],
    ['a bad encoding', '/api/links/%ff', { 'X-API-Key': 'KEY' }],
  ])('%s may not be sniffed, framed or scripted, nor stored unless it is for all', async (...kind) => {
    const [, path, headers = {}] = kind
    const sent = Object.entries(headers).map(
      ([name, value]) => `${name}: ${value.replace('KEY', caller.key)}`,
    )
    const answer = await sendRaw(rig.url, rawRequest('GET', path, { headers: sent }))
    expect(answer.status).toBeGreaterThanOrEqual(200)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    const policy = answer.headers['content-security-policy']!
    expect(policy).toStartWith("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|script-src|\*/)
    if (answer.headers['content-type']?.startsWith('text/html')) {
      expect(policy).toContain("base-uri 'none'; form-action 'none'")
    }
    const isForAll = answer.status === 200 && !/links|health|info/.test(path)
    expect(answer.headers['cache-control']).toMatch(isForAll ? /no-cache|public/ : /no-store/)
  })

  test('API responses cannot be read by other sites, and send no referrer', async () => {
    for (const path of ['/api/links', '/%61pi/links', '/api/account', '/api/nothing']) {
      const { headers } = await get(path, withKey())
      expect(headers.get('content-security-policy')).toBe(NOTHING)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('scripts of other sites may read the public endpoints and images, errors included, and nothing else', async () => {
    const open = [`/api/info/${CODE}`, '/api/info/nobody', '/api/stats/public', '/api/health', `/qr/${CODE}`]
    const closed = [
      `/${CODE}`,
      '/nobody',
      '/',
      '/docs',
      '/api/links',
      '/api/openapi.json',
      '/api/analytics/overview',
    ]
    const origin = { Origin: 'https://evil.test', ...withKey() }
    const allowed = async (path: string) =>
      (await get(path, origin)).headers.get('access-control-allow-origin')
    for (const path of open) expect([path, await allowed(path)]).toEqual([path, '*'])
    for (const path of closed) expect([path, await allowed(path)]).toEqual([path, null])
    const preflight = await rig.call('OPTIONS', '/api/links', {
      headers: { Origin: 'https://evil.test', 'Access-Control-Request-Headers': 'x-api-key' },
    })
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('with HTTPS, browsers are asked to keep using it', async () => {
    for (const path of ['/', '/docs', '/api/health', '/api/links', '/no/thing', `/qr/${CODE}`]) {
      const { headers } = await get(path)
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    }
  })

  test('requests that the redirect server refuses have them too', async () => {
    const { status, headers, body } = await sendRaw(rig.url, 'GET /api/links HTTP/1.1\r\nHost: a b\r\n\r\n')
    expect(status).toBe(400)
    expect(JSON.parse(body)).toEqual({
      success: false,
      code: expect.any(String),
      message: expect.any(String),
      errors: {},
    })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': NOTHING,
      'referrer-policy': 'no-referrer',
    })
  })
})

async function makeLinks(): Promise<void> {
  for (const custom_code of [CODE, 'asleep']) {
    const body = { original_url: 'https://example.com/a', custom_code, is_active: custom_code === CODE }
    expect((await rig.call('POST', '/api/links', { key: caller.key, body })).status).toBe(201)
  }
}

const get = (path: string, headers: Record<string, string> = {}) => rig.call('GET', path, { headers })
const withKey = () => ({ 'X-API-Key': caller.key })
