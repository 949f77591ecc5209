import { beforeAll, describe, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller, useServiceRig } from '../rigs/service/service-rig.ts'

// T2, T3, T8: where a link may lead, and what of it reaches the wire.

const BASE_URL = 'https://go.example.org'
const GOOD = 'https://example.com/good'

const rig = useServiceRig({ BASE_URL })
const caller = useCaller(rig)

beforeAll(async () => {
  const body = { original_url: GOOD, custom_code: 'mine' }
  expect((await rig.call('POST', '/api/links', { key: caller.key, body })).status).toBe(201)
})

const send = (method: string, path: string, body: unknown) =>
  rig.call(method, path, { key: caller.key, body })

const SCHEMES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\tjava\nscript:alert(1)',
  'java\u0000script:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/hostname',
  'blob:https://example.com/1',
  'about:blank',
  'ftp://example.com/',
  'ws://example.com/',
  's3://bucket/key',
  'view-source:https://example.com/',
  'intent://example.com#Intent;scheme=https;end',
  'mailto:me@example.com',
]

const SHAPES = [
  '//example.com/',
  '/relative',
  'example.com',
  'https:example.com',
  'https:/example.com',
  'https:///example.com',
  'https:\\\\example.com\\a',
  'https://example.com\\@evil.test',
  'https://',
  'https://.',
  'https://a..b/',
  `https://${'a'.repeat(64)}.com/`,
  `https://${'a.'.repeat(127)}com/`,
  'https://exa mple.com/',
  'https://example.com/\u0001a',
  'https://example.com/\u007fa',
  'https://example.com/\ta',
  'https://example.com/\r\nSet-Cookie:a=b',
  'https://example.com:65536/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://example.com@evil.test/',
  'https://@example.com/',
  'https://example.com/\ud800',
  `https://example.com/${'a'.repeat(8192)}`,
]

const PRIVATE = [
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://①②⑦.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fd00:ec2::254]/',
  'http://10.0.0.1/',
  'http://localhost/',
  'http://printer/',
  'http://router.local/',
]

const OURS = [
  BASE_URL,
  `${BASE_URL}/mine`,
  'HTTPS://GO.EXAMPLE.ORG./x',
  'https://go.example.org:443/x',
  'http://go.example.org/x',
  'http://go.example.org:80/x',
  'https://go。example。org/x',
  'https://g%6f.example.org/x',
  'https://ｇｏ.example.org/x',
  'https://go.exam\u00adple.org/x',
]

const NO_TEXT = [null, 1, true, 1.5, {}, [], ['https://example.com/'], { href: GOOD }, '']

describe.each([
  ['a scheme that is not of the web', SCHEMES],
  ['a URL that the parser would repair', SHAPES],
  ['a private address', PRIVATE],
  ['our own address', OURS],
])('%s', (_, destinations) => {
  test.each(destinations)(
    '%j is refused by create, edit and bulk create, and nothing is stored',
    async (original_url) => {
      const before = await rig.call('GET', '/api/links', { key: caller.key })
      const answers = [
        await send('POST', '/api/links', { original_url }),
        await send('POST', '/api/links', { url: original_url }),
        await send('PUT', '/api/links/mine', { original_url }),
        await send('PUT', '/api/links/mine', { url: original_url, title: 'New' }),
        await send('POST', '/api/bulk-shorten', { links: [{ original_url: GOOD }, { original_url }] }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
      expect(answers.map(({ body }) => Object.keys(body.errors))).toEqual([
        ['original_url'],
        ['url'],
        ['original_url'],
        ['url'],
        ['links.1.original_url'],
      ])
      expect((await rig.call('GET', '/api/links', { key: caller.key })).text).toBe(before.text)
    },
  )
})

test('a value that is not a string is not a destination', async () => {
  for (const original_url of NO_TEXT) {
    expect((await send('POST', '/api/links', { original_url })).status).toBe(422)
    expect((await send('POST', '/api/bulk-shorten', { links: [{ original_url }] })).status).toBe(422)
  }
})

test('editing links cannot create a redirect loop', async () => {
  const made = await send('POST', '/api/links', { original_url: 'https://example.com/first' })
  const { short_code, short_url } = made.body.data
  for (const original_url of [short_url, `${BASE_URL}/mine`, `${short_url}#x`, `${short_url}?x`]) {
    expect((await send('PUT', '/api/links/mine', { original_url })).status).toBe(422)
    expect((await send('PUT', `/api/links/${short_code}`, { original_url })).status).toBe(422)
  }
})

test('a link that leads to us only since our host changed is disabled for visitors', async () => {
  const { short_code } = (await send('POST', '/api/links', { original_url: 'https://other.example/x' })).body
    .data
  await rig.store.db
    .updateTable('links')
    .set({ original_url: `${BASE_URL}/mine`, target_url: null })
    .where('code', '=', short_code)
    .execute()
  const { status, headers } = await rig.call('GET', `/${short_code}`)
  expect([status, headers.get('location')]).toEqual([404, null])
})

describe('the Location', () => {
  const hostile: [string, string][] = [
    ['https://example.com/é?ü=ö#ß', 'https://example.com/%C3%A9?%C3%BC=%C3%B6#%C3%9F'],
    ['https://example.com/日本', 'https://example.com/%E6%97%A5%E6%9C%AC'],
    ['https://日本.jp/', 'https://xn--wgv71a.jp/'],
    ['https://example.com/\u202egpj.exe', 'https://example.com/%E2%80%AEgpj.exe'],
    ['https://example.com/%0d%0aSet-Cookie:a=b', 'https://example.com/%0d%0aSet-Cookie:a=b'],
    ['https://example.com/?a=%0D%0ASet-Cookie:a=b', 'https://example.com/?a=%0D%0ASet-Cookie:a=b'],
    ['https://example.com/\u2028a', 'https://example.com/%E2%80%A8a'],
    ['https://example.com/"<>`{}', 'https://example.com/%22%3C%3E%60%7B%7D'],
    ['HTTPS://EXAMPLE.COM/../A', 'https://example.com/A'],
  ]

  test.each(hostile)('for %j is visible ASCII, and one header', async (original_url, location) => {
    const { body } = await send('POST', '/api/links', { original_url })
    expect(body.data.original_url).toBe(original_url)
    for (const method of ['GET', 'HEAD']) {
      const answer = await sendRaw(rig.url, rawRequest(method, `/${body.data.short_code}`))
      expect([answer.status, answer.headers.location]).toEqual([302, location])
      expect(answer.text).toMatch(/^[\x20-\x7e\r\n]*$/)
      expect(Object.keys(answer.headers)).not.toContain('set-cookie')
    }
  })

  test('does not change with what follows the code', async () => {
    for (const query of ['?api_key=tern_x', '?url=https://evil.test', '?', '?a=%0d%0aX: y']) {
      const { headers } = await rig.call('GET', `/mine${query}`)
      expect(headers.get('location')).toBe(GOOD)
    }
  })
})
