import { beforeAll, describe, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller, useOwnServiceRig } from '../rigs/service/service-rig.ts'

// T2, T3, T8: where a link may lead, and what of it reaches the wire.

const BASE_URL = 'https://go.example.org'
const GOOD = 'https://example.com/good'

const rig = useOwnServiceRig({ BASE_URL })
const caller = useCaller(rig)

beforeAll(async () => {
  const body = { original_url: GOOD, custom_code: 'mine' }
  expect((await rig.call('POST', '/api/links', { key: caller.key, body })).status).toBe(201)
})

// Each way in checks with the same function, whose test has all the spellings.
test.each([
  'javascript:alert(1)',
  '\tjava\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://example.com\\@evil.test',
  'https://example.com/\r\nSet-Cookie:a=b',
  'https://user:secret@example.com/',
  'https://example.com/\ud800',
  'http://169.254.169.254/latest/meta-data/',
  'http://①②⑦.0.0.1/',
  'http://[::ffff:a9fe:a9fe]/',
  `${BASE_URL}/mine`,
  'https://go。example。org/x',
  'https://go.exam\u00adple.org/x',
])('%j is refused by create, edit and bulk create, and nothing is stored', async (original_url) => {
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
})

test('a value that is not a string is not a destination', async () => {
  for (const original_url of NO_TEXT) {
    expect((await send('POST', '/api/links', { original_url })).status).toBe(422)
    expect((await send('POST', '/api/bulk-shorten', { links: [{ original_url }] })).status).toBe(422)
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
  test.each<[string, string]>([
    ['https://example.com/é?ü=ö#ß', 'https://example.com/%C3%A9?%C3%BC=%C3%B6#%C3%9F'],
    ['https://example.com/日本', 'https://example.com/%E6%97%A5%E6%9C%AC'],
    ['https://日本.jp/', 'https://xn--wgv71a.jp/'],
    ['https://example.com/\u202egpj.exe', 'https://example.com/%E2%80%AEgpj.exe'],
    ['https://example.com/%0d%0aSet-Cookie:a=b', 'https://example.com/%0d%0aSet-Cookie:a=b'],
    ['https://example.com/?a=%0D%0ASet-Cookie:a=b', 'https://example.com/?a=%0D%0ASet-Cookie:a=b'],
    ['https://example.com/\u2028a', 'https://example.com/%E2%80%A8a'],
    ['https://example.com/"<>`{}', 'https://example.com/%22%3C%3E%60%7B%7D'],
    ['HTTPS://EXAMPLE.COM/../A', 'https://example.com/A'],
  ])('for %j is visible ASCII, and one header', async (original_url, location) => {
    const { body } = await send('POST', '/api/links', { original_url })
    expect(body.data.original_url).toBe(original_url)
    for (const method of ['GET', 'HEAD']) {
      const answer = await sendRaw(rig.url, rawRequest(method, `/${body.data.short_code}`))
      expect([answer.status, answer.headers.location]).toEqual([302, location])
      expect(answer.text).toMatch(/^[\x20-\x7e\r\n]*$/)
      expect(Object.keys(answer.headers)).not.toContain('set-cookie')
    }
  })
})

const NO_TEXT = [null, 1, true, 1.5, {}, [], ['https://example.com/'], { href: GOOD }, '']

const send = (method: string, path: string, body: unknown) =>
  rig.call(method, path, { key: caller.key, body })
