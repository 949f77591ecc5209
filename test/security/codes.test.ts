import { beforeAll, describe, expect, test } from 'bun:test'
import { RESERVED } from '../../src/codes/code-rules.ts'
import { siteFiles } from '../../src/http/pages/site-files.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller, useServiceRig } from '../rigs/service/service-rig.ts'

// T5, T6, T7, T23: what a code may be, whose it is, and that nobody can foresee one.

const rig = useServiceRig()
const caller = useCaller(rig)

beforeAll(async () => {
  await create({ custom_code: 'hello' })
})

describe('assigned codes', () => {
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

  async function assigned(count: number): Promise<string[]> {
    const codes: string[] = []
    while (codes.length < count) {
      const body = { links: Array.from({ length: BULK }, () => ({ original_url: URL_OF_A })) }
      const made = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body })
      codes.push(...made.body.data.map((link: { short_code: string }) => link.short_code))
    }
    return codes
  }
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
})

describe('reserved words', () => {
  const words = [
    'api admin login logout signup register verify verify-email reset-password password dashboard account settings links',
    'stats analytics health healthz ready metrics info docs help about terms privacy security abuse report status static',
    'assets public app www mail root null undefined new edit webhooks auth oauth sso callback unsubscribe billing cdn-cgi preview',
  ].flatMap((line) => line.split(' '))

  test('have those of the specification, and nobody can claim one', async () => {
    expect(words.filter((word) => !RESERVED.has(word))).toEqual([])
    const { status, body } = await create({ custom_code: 'Admin' })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['custom_code']])
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

const URL_OF_A = 'https://example.com/a'

const BULK = 100

const create = (fields: object, key = caller.key) =>
  rig.call('POST', '/api/links', { key, body: { original_url: URL_OF_A, ...fields } })
