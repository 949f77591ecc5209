import { beforeEach, describe, expect, test } from 'bun:test'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import type { AppEnv } from '../dispatch/app-context.ts'
import { addDashboard } from './dashboard-site.ts'
import type { PackedFile } from './compressed-file.ts'

let app: Hono<AppEnv>
let builds: number
let cookiesOfPages: string[]

beforeEach(openSite)

describe('the page', () => {
  test.each([
    '/dashboard/',
    '/dashboard',
    '/dashboard/links/launch',
    '/dashboard/account/security',
    '/dashboard/apis',
  ])('is the same at %s, for its script to tell', async (path) => {
    const answer = await get(path)
    expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html>'])
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  })

  test.each([
    '/dashboard/assets/gone-abc12345.js',
    '/dashboard/nothing.js',
    '/dashboard/.env',
    '/dashboards',
  ])('is not %s', async (path) => {
    expect((await get(path)).status).toBe(404)
  })

  test.each(['session=abc', 'a=b; __Host-session=abc'])(
    'has the look of the shell for who comes with a session: %s',
    async (cookie) => {
      const answer = await get('/dashboard/keys', { Cookie: cookie })
      expect(await answer.text()).toBe('<!doctype html> signed in')
      expect(answer.headers.get('vary')).toBe('Accept-Encoding, Cookie')
      const tag = answer.headers.get('etag')!
      // What a browser kept from before it signed in is not good any more.
      expect((await get('/dashboard/', { Cookie: cookie, 'If-None-Match': tag })).status).toBe(304)
      expect((await get('/dashboard/', { 'If-None-Match': tag })).status).toBe(200)
      expect(await (await get('/dashboard/', { Cookie: 'xsession=abc' })).text()).toBe('<!doctype html>')
    },
  )

  test("names the chunk of a link's page, for a browser with a session", async () => {
    const link = await get('/dashboard/links/launch', { Cookie: 'session=abc' })
    expect(await link.text()).toBe('<!doctype html> signed in, a link')
    expect(await (await get('/dashboard/links/launch')).text()).toBe('<!doctype html>')
    expect(await (await get('/dashboard/constructor', { Cookie: 'session=abc' })).text()).toBe(
      '<!doctype html> signed in',
    )
  })

  test('is announced where a browser with a session opens it, as its script asks for reports next', async () => {
    for (const path of ['/dashboard/', SCRIPT]) await get(path)
    await get(SCRIPT, { Cookie: 'session=abc' })
    await get('/dashboard/overview', { Cookie: 'session=abc' })
    expect(cookiesOfPages).toEqual(['session=abc'])
  })

  test('leaves the endpoints alone', async () => {
    expect(await (await get('/dashboard/api/session')).text()).toBe('the API')
    expect((await get('/dashboard/api')).status).toBe(404)
    expect(builds).toBe(0)
  })

  test('takes no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await get('/dashboard/links', {}, method)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })
})

describe('a file', () => {
  test('is kept for good, because another text has another name', async () => {
    const answer = await get(SCRIPT)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/javascript', TEXT])
    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  test('comes as brotli where that is taken', async () => {
    const answer = await get(SCRIPT, { 'Accept-Encoding': 'gzip, deflate, br' })
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      'br',
      'Accept-Encoding',
    ])
    expect(brotliDecompressSync(new Uint8Array(await answer.arrayBuffer())).toString()).toBe(TEXT)
  })

  test('has a tag of its own for each form, and is not sent again to a client that has it', async () => {
    const tags: (string | null)[] = []
    for (const encoding of ['', 'gzip', 'br']) {
      const tag = (await get(SCRIPT, { 'Accept-Encoding': encoding })).headers.get('etag')
      const again = await get(SCRIPT, { 'Accept-Encoding': encoding, 'If-None-Match': `"other", ${tag}` })
      expect([again.status, await again.text()]).toEqual([304, ''])
      tags.push(tag)
    }
    expect(new Set(tags).size).toBe(3)
  })
})

function openSite(): void {
  builds = 0
  app = new Hono<AppEnv>()
  const files = [
    packed('/dashboard/', 'text/html; charset=utf-8', '<!doctype html>'),
    packed('/dashboard/#signed-in', 'text/html; charset=utf-8', '<!doctype html> signed in'),
    packed('/dashboard/#signed-in/links', 'text/html; charset=utf-8', '<!doctype html> signed in, a link'),
    packed(SCRIPT, 'text/javascript', TEXT),
  ]
  const dashboard = {
    files: async () => {
      builds++
      return files
    },
    warm() {},
  }
  cookiesOfPages = []
  addDashboard(app, { dashboard, onPage: (cookies) => void cookiesOfPages.push(cookies) })
  app.get('/dashboard/api/session', (context) => context.text('the API'))
}

const SCRIPT = '/dashboard/assets/index-abc12345.js'
const TEXT = 'console.log("tern"); '.repeat(40)

const packed = (path: string, contentType: string, text: string): PackedFile => ({
  path,
  contentType,
  identity: Buffer.from(text).toString('base64'),
  br: brotliCompressSync(text).toString('base64'),
  gzip: gzipSync(text).toString('base64'),
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { headers, method }) as Promise<Response>
