import { beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { CSS_HREF } from '../src/http/pages/site-css.ts'
import { type TestUser, useDashboardRig } from './rigs/service/dashboard-rig.ts'
import { useCaller } from './rigs/service/service-rig.ts'

// Answers as they are on the wire: nothing here unpacks them before they are looked at.

const FILES = ['/', '/docs', '/api/openapi.json', CSS_HREF]

const rig = useDashboardRig()
const caller = useCaller(rig)
let user: TestUser

beforeAll(startService)

describe('pages and documents', () => {
  test.each(FILES)('%s has the requested encoding, and the same text in each', async (path) => {
    const plain = await ask(path)
    expect([plain.status, plain.named('content-encoding')]).toEqual([200, null])
    for (const [encoding, unpack] of Object.entries(UNPACK)) {
      const packed = await ask(path, { accepts: encoding })
      expect([packed.status, packed.named('content-encoding'), packed.named('vary')]).toEqual([
        200,
        encoding,
        'Accept-Encoding',
      ])
      expect(new Uint8Array(unpack(packed.bytes))).toEqual(plain.bytes)
      expect(packed.named('content-length')).toBe(String(packed.bytes.byteLength))
      expect(packed.bytes.byteLength).toBeLessThan(plain.bytes.byteLength)
    }
  })

  test.each(FILES)('%s is not sent again to a client that has it, and HEAD agrees with GET', async (path) => {
    for (const accepts of ['', 'gzip', 'gzip, br']) {
      const full = await ask(path, { accepts })
      const tag = full.named('etag')!
      const again = await ask(path, { accepts, headers: { 'If-None-Match': tag } })
      expect([again.status, again.bytes.byteLength, again.named('etag')]).toEqual([304, 0, tag])
      expect([again.named('vary'), again.named('cache-control')]).toEqual([
        'Accept-Encoding',
        full.named('cache-control'),
      ])
      const head = await ask(path, { accepts, method: 'HEAD' })
      expect([head.status, head.bytes.byteLength]).toEqual([200, 0])
      for (const name of ['etag', 'content-encoding', 'content-length', 'content-type', 'vary'])
        expect([name, head.named(name)]).toEqual([name, full.named(name)])
    }
  })

  test('the API reference is small on the wire', async () => {
    for (const accepts of Object.keys(UNPACK))
      expect((await ask('/docs', { accepts })).bytes.byteLength).toBeLessThan(DOCS_BYTES_MAX)
  })
})

describe('a response to a request with a key', () => {
  const list = (asked: RequestCase = {}) =>
    ask('/api/links?per_page=100', { ...asked, headers: { 'X-API-Key': caller.key } })

  test('is compressed when it is long and the client accepts that, and still not cached', async () => {
    const plain = await list()
    expect([plain.named('content-encoding'), plain.named('vary')]).toEqual([null, 'Accept-Encoding'])
    expect(JSON.parse(new TextDecoder().decode(plain.bytes)).data).toHaveLength(30)
    for (const [encoding, unpack] of Object.entries(UNPACK)) {
      const packed = await list({ accepts: encoding })
      expect([packed.named('content-encoding'), packed.named('cache-control'), packed.named('etag')]).toEqual(
        [encoding, 'no-store', null],
      )
      expect(unpack(packed.bytes).toString()).toBe(new TextDecoder().decode(plain.bytes))
      const head = await list({ accepts: encoding, method: 'HEAD' })
      expect([head.named('content-encoding'), head.named('content-length'), head.bytes.byteLength]).toEqual([
        encoding,
        String(packed.bytes.byteLength),
        0,
      ])
    }
  })

  test('follows the weights in Accept-Encoding', async () => {
    expect((await list({ accepts: 'br;q=0.2, gzip;q=0.9' })).named('content-encoding')).toBe('gzip')
    expect((await list({ accepts: 'br;q=0, gzip;q=0' })).named('content-encoding')).toBeNull()
  })

  test('is not compressed when it is short', async () => {
    const headers = { 'X-API-Key': caller.key }
    const { bytes, named } = await ask('/api/account', { accepts: 'br, gzip', headers })
    expect(bytes.byteLength).toBeLessThan(1024)
    expect([named('content-encoding'), named('vary')]).toEqual([null, null])
  })
})

describe('event streams and redirects', () => {
  const ofPerson = () => ({ ...user.browser.headers(), 'Sec-Fetch-Site': 'same-origin' })

  test('are not compressed', async () => {
    const kept = await ask('/dashboard/api/export', { accepts: 'br, gzip', headers: ofPerson() })
    expect([kept.status, kept.named('content-encoding')]).toEqual([200, null])
    const leave = new AbortController()
    const live = await fetch(`${rig.url}/dashboard/api/live`, {
      headers: { ...ofPerson(), 'Accept-Encoding': 'br, gzip' } as Record<string, string>,
      signal: leave.signal,
    })
    expect([live.status, live.headers.get('content-encoding')]).toEqual([200, null])
    const { value } = await live.body!.getReader().read()
    expect(new TextDecoder().decode(value)).toStartWith('retry: ')
    leave.abort()
    const { short_code } = (await rig.call('GET', '/api/links', { key: caller.key })).body.data[0]
    const redirect = await ask(`/${short_code}`, { accepts: 'br, gzip' })
    expect([redirect.status, redirect.named('vary'), redirect.named('content-encoding')]).toEqual([
      302,
      null,
      null,
    ])
  })

  test('a change in the dashboard is not compressed: its response may contain a secret', async () => {
    const links = Array.from({ length: 30 }, (_, n) => ({ original_url: `https://example.com/${n}` }))
    const response = await fetch(`${rig.url}/dashboard/api/bulk-shorten`, {
      method: 'POST',
      headers: {
        ...ofPerson(),
        Origin: rig.config.baseUrl,
        'Content-Type': 'application/json',
        'Accept-Encoding': 'br, gzip',
      } as Record<string, string>,
      body: JSON.stringify({ links }),
    })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([201, null])
    expect((await response.bytes()).byteLength).toBeGreaterThan(1024)
    const list = await ask('/dashboard/api/links', { accepts: 'br', headers: ofPerson() })
    expect([list.status, list.named('content-encoding')]).toEqual([200, 'br'])
  })
})

async function startService(): Promise<void> {
  const links = Array.from({ length: 30 }, (_, n) => ({ original_url: `https://example.com/${n}` }))
  await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links } })
  user = await rig.user()
}

/** It grows with the API: 116,800 with gzip, since each answer lists its codes. */
const DOCS_BYTES_MAX = 135_000

const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync }

type RequestCase = { method?: string; accepts?: string; headers?: Record<string, string | undefined> }

async function ask(path: string, { method = 'GET', accepts = '', headers = {} }: RequestCase = {}) {
  const sent = { 'Accept-Encoding': accepts, ...headers } as Record<string, string>
  const response = await fetch(rig.url + path, {
    method,
    headers: sent,
    redirect: 'manual',
    decompress: false,
  } as RequestInit)
  const named = (name: string) => response.headers.get(name)
  return { status: response.status, named, bytes: new Uint8Array(await response.arrayBuffer()) }
}
