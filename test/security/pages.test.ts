import { describe, expect, test } from 'bun:test'
import { type TestAnswer, useCaller, useServiceRig } from '../rigs/service/service-rig.ts'

// T16, T37 and the files that others look for: nothing that a stranger chose is ever more than text.

const rig = useServiceRig()
const caller = useCaller(rig)

const BROWSER = { Accept: 'text/html,application/xhtml+xml' }

/** Markup that a page of ours never has. */
const SCRIPTED =
  /<script|javascript:|<iframe|<object|<embed|<base|<form|<meta http-equiv|\son\w+\s*=|\sstyle\s*=/i

describe('client input', () => {
  test.each(HOSTILE)('the title %j is returned unchanged, as JSON that may not be sniffed', async (title) => {
    const body = { original_url: `https://example.com/?q=${encodeURIComponent(title)}`, title }
    const made = await rig.call('POST', '/api/links', { key: caller.key, body })
    const { short_code } = made.body.data
    for (const path of [`/api/links/${short_code}`, `/api/info/${short_code}`, '/api/links?per_page=1']) {
      const answer = await get(path, { 'X-API-Key': caller.key, ...BROWSER })
      expect([answer.body.data].flat()[0].title).toBe(title)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test.each(HOSTILE)('the title and URL %j are on no page and in no image', async (title) => {
    const body = {
      original_url: `https://example.com/#${encodeURIComponent(title)}-marker-`,
      title,
      is_active: false,
    }
    const { short_code } = (await rig.call('POST', '/api/links', { key: caller.key, body })).body.data
    const shown = await get(`/${short_code}`, BROWSER)
    expect([shown.status, isPage(shown)]).toEqual([404, true])
    const picture = await get(`/qr/${short_code}`)
    for (const { text } of [shown, picture]) {
      expect(text).not.toContain(title)
      expect(text).not.toContain('-marker-')
      expect(text).not.toMatch(SCRIPTED)
    }
  })

  test('is not echoed in errors, which are JSON and name only the field', async () => {
    const field = '"><script>alert(1)</script>'
    const body = { original_url: field, [field]: field, title: 'x'.repeat(300), custom_code: field }
    const answer = await rig.call('POST', '/api/links', { key: caller.key, body, headers: BROWSER })
    expect(answer.status).toBe(422)
    expect(answer.text).not.toContain('<script')
    for (const query of [
      `period=${field}`,
      `timezone=${field}`,
      `from=${field}`,
      `limit=${field}`,
      `short_code=${field}`,
    ]) {
      const { text, status } = await get(`/api/analytics/clicks?${encodeURI(query)}`, {
        'X-API-Key': caller.key,
        ...BROWSER,
      })
      expect([404, 422]).toContain(status)
      expect(text).not.toContain('<script')
    }
  })
})

describe('pages', () => {
  const paths = [
    '/',
    '/docs',
    '/nobody',
    '/no/thing',
    '/%3Cscript%3Ealert(1)%3C/script%3E',
    '/"><script>alert(1)</script>',
    "/nobody?q='><script>alert(1)</script>",
    '/no/%22onload=%22alert(1)',
    '/%0d%0aSet-Cookie:a=b',
  ]

  test.each(paths)('%s has no script, whatever is in its URL', async (path) => {
    const answer = await get(path, { ...BROWSER, Referer: 'javascript:alert(1)', 'User-Agent': '<script>' })
    expect(isPage(answer)).toBe(true)
    expect(answer.text).not.toMatch(SCRIPTED)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('content-security-policy')).not.toContain('script-src')
  })

  test('return JSON to clients that do not accept HTML', async () => {
    for (const accept of ['*/*', 'application/json', 'text/plain', '', 'application/problem+json']) {
      const answer = await get('/nobody', { Accept: accept })
      expect(answer.body).toEqual({
        success: false,
        code: 'link_not_found',
        message: 'Link not found.',
        errors: {},
      })
    }
  })

  test('at short URLs cannot register a service worker', async () => {
    const body = { original_url: 'https://example.com/sw.js', custom_code: 'worker-js' }
    await rig.call('POST', '/api/links', { key: caller.key, body })
    for (const path of ['/worker-js', '/nobody', '/sw.js', '/service-worker.js']) {
      const answer = await get(path, { 'Service-Worker': 'script', Accept: '*/*' })
      // A worker's script may be neither a redirect nor anything but JavaScript.
      expect([302, 404]).toContain(answer.status)
      expect(answer.headers.get('content-type') ?? '').not.toContain('javascript')
      expect(answer.headers.get('service-worker-allowed')).toBeNull()
    }
  })
})

describe('files', () => {
  test.each([
    ['/.well-known/security.txt', 'text/plain; charset=utf-8'],
    ['/.well-known/gpc.json', 'application/json'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
  ])('%s is served', async (path, type) => {
    const { status, headers } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, type])
  })

  test('are only those that are meant to be public', async () => {
    const paths = [
      '/.env',
      '/.git/config',
      '/package.json',
      '/data/tern.db',
      '/tern.db',
      '/src/http/app.ts',
      '/assets/',
      '/assets/../package.json',
    ]
    const encoded = [
      '/%2e%2e/package.json',
      '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
      '/..%5cpackage.json',
      '/assets/..;/package.json',
      '/.well-known/',
      '/index.html',
    ]
    for (const path of [...paths, ...encoded]) expect([path, (await get(path)).status]).toEqual([path, 404])
  })
})

const HOSTILE = [
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</script><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '{{7*7}} ${7*7} <%= 7*7 %>',
  '&lt;script&gt;',
  '<!--',
  ']]>',
  '\u202egpj.exe',
  '=HYPERLINK("https://evil.test")',
]
const get = (path: string, headers: Record<string, string> = {}) => rig.call('GET', path, { headers })
const isPage = ({ headers }: TestAnswer) =>
  headers.get('content-type')?.toLowerCase() === 'text/html; charset=utf-8'
