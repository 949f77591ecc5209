import { beforeAll, describe, expect, test } from 'bun:test'
import { RESERVED } from '../../src/codes/code-rules.ts'
import { siteFiles } from '../../src/http/pages/site-files.ts'
import { eventually } from '../rigs/eventually.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller, useServiceRig } from '../rigs/service/service-rig.ts'

// T5, T6, T7, T23: what a code may be, whose it is, and that nobody can foresee one.

const URL_OF_A = 'https://example.com/a'
const BULK = 100

const rig = useServiceRig()
const caller = useCaller(rig)

beforeAll(async () => {
  await create({ custom_code: 'hello' })
})

const create = (fields: object, key = caller.key) =>
  rig.call('POST', '/api/links', { key, body: { original_url: URL_OF_A, ...fields } })

describe('assigned codes', () => {
  async function assigned(count: number): Promise<string[]> {
    const codes: string[] = []
    while (codes.length < count) {
      const body = { links: Array.from({ length: BULK }, () => ({ original_url: URL_OF_A })) }
      const made = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body })
      codes.push(...made.body.data.map((link: { short_code: string }) => link.short_code))
    }
    return codes
  }

  test('of two thousand links are all different, and follow no order', async () => {
    const codes = await assigned(2_000)
    expect(new Set(codes).size).toBe(codes.length)
    const rising = codes.filter((code, i) => i > 0 && code > codes[i - 1]!).length
    // Half of them, give or take seven standard deviations (of √(n/12)).
    expect(Math.abs(rising - 1_000)).toBeLessThan(7 * Math.sqrt(2_000 / 12))
    // Of 1.9 million pairs, 1 in 57³ shares its first three characters: 10 by chance. A common prefix would make thousands.
    const prefixes = Map.groupBy(codes, (code) => code.slice(0, 3))
    expect(Math.max(...[...prefixes.values()].map(({ length }) => length))).toBeLessThan(6)
  })

  test('use each character as often as the others', async () => {
    const text = (await assigned(1_000)).join('')
    const counts = Object.values(Object.groupBy(text, (character) => character)).map((all) => all!.length)
    const expected = text.length / 57
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(counts).toHaveLength(57)
    // 56 degrees of freedom: above this once in 10⁸ runs.
    expect(chiSquare).toBeLessThan(150)
  })
})

describe('another spelling of a code', () => {
  const spellings = [
    '/Hello',
    '/HELLO',
    '/hello%00',
    '/%00hello',
    '//hello',
    '/hello%2Fworld',
    '/hello;x',
    '/hello%3Fx',
    '/%EF%BD%88ello',
    '/h%D0%B5llo',
    '/hell%CE%BF',
    '/%ff%fe',
    '/hello%ff',
    '/%',
    '/%zz',
    '/hello%ED%A0%80',
    '/h\xc3\xa9llo',
    '/./%2e%2e/hello%00',
  ]

  test.each([
    '/h%65llo',
    '/%68%65%6c%6c%6f',
    '/hello.',
    '/hello%2e',
    '/hello%20',
    '/hello%0a',
    '/hello/',
    '/hello//',
    '/hello%2F',
    '/hel%C2%ADlo',
    '/%E2%80%8Bhello',
    '/hello%E2%80%A6',
  ])('%s opens the link: no code contains what was added', async (path) => {
    const { status, headers } = await sendRaw(rig.url, rawRequest('GET', path))
    expect([status, headers.location]).toEqual([302, 'https://example.com/a'])
  })

  test.each(spellings)('%s is not found', async (path) => {
    const { status, headers, body } = await sendRaw(rig.url, rawRequest('GET', path))
    expect(status).toBe(404)
    expect(headers.location).toBeUndefined()
    expect(JSON.parse(body)).toEqual({
      success: false,
      code: expect.any(String),
      message: expect.any(String),
      errors: {},
    })
  })

  const custom = [
    'hél',
    'аbc',
    'Ａbc',
    'abc%64',
    'abc.d',
    'abc/d',
    'abc\0',
    'abc\n',
    'ab\u200bc',
    ' abc',
    'ab',
    'a'.repeat(65),
  ]

  test.each(custom)('%j cannot be claimed', async (custom_code) => {
    const { status, body } = await create({ custom_code })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['custom_code']])
  })
})

describe('reserved words', () => {
  const words = [
    'api admin login logout signup register verify verify-email reset-password password dashboard account settings links',
    'stats analytics health healthz ready metrics info docs help about terms privacy security abuse report status static',
    'assets public app www mail root null undefined new edit webhooks auth oauth sso callback unsubscribe billing cdn-cgi preview',
  ].flatMap((line) => line.split(' '))

  test('cannot be claimed in any case, and the response says so', async () => {
    for (const word of words) {
      for (const custom_code of [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)]) {
        const { status, body } = await create({ custom_code })
        expect([custom_code, status, Object.keys(body.errors)]).toEqual([custom_code, 422, ['custom_code']])
      }
    }
  })

  test('include the first part of every path that could be a code', async () => {
    const { paths } = (await rig.call('GET', '/api/openapi.json')).body
    const files = siteFiles({ ...rig.config, nowUs: 0 }).keys()
    const segments = [...Object.keys(paths), ...files, '/docs', '/qr/x'].map((path) => path.split('/')[1]!)
    const free = new Set(segments.filter((segment) => /^[\w-]{3,}$/.test(segment) && !RESERVED.has(segment)))
    expect([...free]).toEqual([])
    expect(segments).toContain('api')
  })
})

describe('a deleted link', () => {
  test('leaves its code to its owner alone', async () => {
    const other = await rig.makeCaller()
    await create({ custom_code: 'was-mine' })
    expect((await rig.call('DELETE', '/api/links/was-mine', { key: caller.key })).status).toBe(200)
    const taken = await create({ custom_code: 'was-mine' }, other.key)
    expect(taken.status).toBe(422)
    expect(taken.body.errors).toEqual({ custom_code: ['The custom code has already been taken.'] })
    const inBulk = await rig.call('POST', '/api/bulk-shorten', {
      key: other.key,
      body: { links: [{ original_url: URL_OF_A, custom_code: 'was-mine' }] },
    })
    expect(inBulk.status).toBe(422)
    expect((await rig.call('GET', '/was-mine')).status).toBe(404)
    expect((await rig.call('GET', '/api/info/was-mine')).status).toBe(404)
  })

  test('becomes a new link without the old clicks when its owner claims the code again', async () => {
    const first = (await create({ custom_code: 'again' })).body.data
    await rig.call('GET', '/again')
    const analytics = async () =>
      (await rig.call('GET', '/api/analytics/links/again', { key: caller.key })).body.data
    await eventually(analytics, (data) => data.total_clicks === 1)
    await rig.call('DELETE', '/api/links/again', { key: caller.key })
    await rig.call('DELETE', '/api/trash/again', { key: caller.key })
    const second = (await create({ custom_code: 'again' })).body.data
    expect(second.id).toBeGreaterThan(first.id)
    expect(second.svc_id).not.toBe(first.svc_id)
    expect(second.click_count).toBe(0)
    expect(await analytics()).toMatchObject({ total_clicks: 0, unique_visitors: 0, last_clicked_at: null })
  })

  test('does not pass its ID on', async () => {
    const first = (await create({ custom_code: 'short-lived' })).body.data
    await rig.call('DELETE', '/api/links/short-lived', { key: caller.key })
    expect((await create({})).body.data.id).toBeGreaterThan(first.id)
  })
})
