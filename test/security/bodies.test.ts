import { beforeAll, describe, expect, test } from 'bun:test'
import { useCaller, useServiceRig } from '../rigs/service/service-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

// T19, T20, T35: bodies that are too large, too deep, or more than they seem.

const GOOD = { original_url: 'https://example.com/a' }
const MIB = 1024 * 1024

const rig = useServiceRig()
const caller = useCaller(rig)

beforeAll(async () => {
  await send({ ...GOOD, custom_code: 'hello', title: 'Before' })
})

const send = (body: unknown, path = '/api/links', headers: Record<string, string> = {}) =>
  rig.call('POST', path, { key: caller.key, body, headers })
const linkCount = async () => (await rig.call('GET', '/api/links', { key: caller.key })).body.meta.total

/** What is refused leaves no link behind. */
async function expectRefusal(status: number, body: unknown, path?: string, headers?: Record<string, string>) {
  const before = await linkCount()
  const answer = await send(body, path, headers)
  expect(answer.body).toEqual({
    success: false,
    code: expect.any(String),
    message: expect.any(String),
    errors: expect.any(Object),
    ...(answer.body.error_codes && { error_codes: expect.any(Object) }),
  })
  expect(answer.status).toBe(status)
  expect(await linkCount()).toBe(before)
  return answer.body.errors
}

describe('a bulk request', () => {
  const links = (count: number) => ({ links: Array.from({ length: count }, () => GOOD) })

  test('may have a hundred links and no more', async () => {
    expect((await send(links(100), '/api/bulk-shorten')).body.count).toBe(100)
    expect(Object.keys(await expectRefusal(422, links(101), '/api/bulk-shorten'))).toEqual(['links'])
    await expectRefusal(422, links(10_000), '/api/bulk-shorten')
    await expectRefusal(422, links(0), '/api/bulk-shorten')
  })

  test('with one code twice, or one that is taken, creates no link', async () => {
    const twice = { links: [GOOD, { ...GOOD, custom_code: 'same' }, { ...GOOD, custom_code: 'same' }] }
    expect(Object.keys(await expectRefusal(422, twice, '/api/bulk-shorten'))).toEqual(['links.2.custom_code'])
    const taken = {
      links: [
        { ...GOOD, custom_code: 'fresh' },
        { ...GOOD, custom_code: 'hello' },
      ],
    }
    expect(Object.keys(await expectRefusal(422, taken, '/api/bulk-shorten'))).toEqual(['links.1.custom_code'])
    expect((await rig.call('GET', '/api/info/fresh')).status).toBe(404)
  })

  test.each([
    { links: {} },
    { links: 'x' },
    { links: [null] },
    { links: [[]] },
    { links: ['https://example.com'] },
    {},
  ])('of %j is refused', async (body) => void (await expectRefusal(422, body, '/api/bulk-shorten')))
})

describe('size', () => {
  test('of one MiB is accepted, one byte more is not', async () => {
    const padded = (size: number) => JSON.stringify(GOOD).padEnd(size)
    expect((await send(padded(MIB))).status).toBe(201)
    await expectRefusal(413, padded(MIB + 1))
    await expectRefusal(413, padded(1.1 * MIB), '/api/bulk-shorten')
    await expectRefusal(413, padded(12 * MIB))
  })

  test('that is not declared is counted', async () => {
    const before = await linkCount()
    const chunks = (count: number) =>
      new ReadableStream({
        start(controller) {
          for (let i = 0; i < count; i++) controller.enqueue(new Uint8Array(64 * 1024).fill(32))
          controller.close()
        },
      })
    const headers = { 'X-API-Key': caller.key, 'Content-Type': 'application/json' }
    const post = (count: number) =>
      documentedFetch(`${rig.url}/api/links`, { method: 'POST', headers, body: chunks(count) })
    expect((await post(17)).status).toBe(413)
    expect((await post(16)).status).toBe(400)
    expect(await linkCount()).toBe(before)
  })
})

describe('syntax', () => {
  const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
  const broken: [string, string | Uint8Array][] = [
    ['a million brackets', '['.repeat(1_000_000)],
    ['a million brackets, closed', nested('[', ']', 500_000)],
    ['a hundred thousand objects', '{"a":'.repeat(100_000)],
    ['nothing', ''],
    ['blanks', '   '],
    ['a list', '[{"original_url":"https://example.com"}]'],
    ['null', 'null'],
    ['a number', '1e400'],
    ['a text', '"https://example.com"'],
    ['a comma too many', '{"original_url":"https://example.com",}'],
    ['single quotes', "{'original_url':'https://example.com'}"],
    ['a comment', '{}/*x*/'],
    ['two values', '{}{}'],
    ['NaN', '{"title":NaN}'],
    ['a raw NUL', '{"original_url":"https://example.com/\0"}'],
    ['a raw line break in a text', '{"title":"a\nb"}'],
    ['a form', 'original_url=https%3A%2F%2Fexample.com'],
  ]

  test.each(broken)('of %s is refused with 400', async (_, body) => void (await expectRefusal(400, body)))

  test('of invalid UTF-8 is refused with 400', async () => {
    const headers = { 'X-API-Key': caller.key, 'Content-Type': 'application/json' }
    for (const body of [
      '{"title":"\xff"}',
      '{"title":"\xed\xa0\x80"}',
      '\xff\xfe{\0}\0',
      '{"title":"\xc0\x80"}',
    ]) {
      const answer = await documentedFetch(`${rig.url}/api/links`, {
        method: 'POST',
        headers,
        body: Buffer.from(body, 'latin1'),
      })
      expect(answer.status).toBe(400)
    }
  })

  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
    '',
  ]
  test.each(types)('of the type %j is refused with 415', async (type) => {
    await expectRefusal(415, JSON.stringify(GOOD), '/api/links', { 'Content-Type': type })
  })

  test('of a compressed body is refused with 400', async () => {
    const headers = {
      'X-API-Key': caller.key,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    }
    const body = Bun.gzipSync(Buffer.from(JSON.stringify(GOOD)))
    expect((await documentedFetch(`${rig.url}/api/links`, { method: 'POST', headers, body })).status).toBe(
      400,
    )
  })
})

describe('values', () => {
  const deep = JSON.parse('[['.repeat(10_000) + ']]'.repeat(10_000))
  const notText = [1, 1.5, -0, true, [], {}, ['a'], { a: 1 }]

  test('that nest deeply are refused like any other of a wrong type', async () => {
    for (const field of ['original_url', 'title', 'custom_code', 'is_active']) {
      expect(Object.keys(await expectRefusal(422, { ...GOOD, [field]: deep }))).toEqual([field])
    }
  })

  test('of a wrong type are refused, never converted', async () => {
    for (const value of notText) {
      for (const field of ['title', 'custom_code']) await expectRefusal(422, { ...GOOD, [field]: value })
      if (typeof value !== 'boolean') await expectRefusal(422, { ...GOOD, is_active: value })
    }
    for (const value of ['true', 'on', '1', 0]) await expectRefusal(422, { ...GOOD, is_active: value })
    await expectRefusal(422, '{"original_url":12345678901234567890}')
    await expectRefusal(422, '{"original_url":"https://example.com","title":1e400}')
  })

  test.each([
    'a\u0000b',
    'a\u0001b',
    'a\nb',
    'a\u001b[31mb',
    'a\u007fb',
    '\ud800',
    'a\udfffb',
    'x'.repeat(256),
  ])('such as the title %j are refused', async (title) => {
    expect(Object.keys(await expectRefusal(422, { ...GOOD, title }))).toEqual(['title'])
    const changed = await rig.call('PUT', '/api/links/hello', { key: caller.key, body: { title } })
    expect(changed.status).toBe(422)
    const { data } = (await rig.call('GET', '/api/links/hello', { key: caller.key })).body
    expect(data.title).toBe('Before')
  })

  test('of a field that is sent twice are those of the last one', async () => {
    const body = '{"original_url":"javascript:1","original_url":"https://example.com/last"}'
    expect((await send(body)).body.data.original_url).toBe('https://example.com/last')
    await expectRefusal(422, '{"original_url":"https://example.com/first","original_url":"javascript:1"}')
  })

  test('of __proto__ and constructor reach nothing', async () => {
    const body = `{"original_url":"https://example.com","__proto__":{"title":"x","is_active":false,"custom_code":"proto-code"},
      "constructor":{"prototype":{"is_admin":true}},"toString":1,"hasOwnProperty":1}`
    const { data } = (await send(body)).body
    expect(data).toMatchObject({ title: '', is_active: true })
    expect(data.short_code).not.toBe('proto-code')
    await expectRefusal(422, '{"__proto__":{"original_url":"https://example.com"}}')
    await expectRefusal(
      422,
      '{"links":[{"__proto__":{"original_url":"https://example.com"}}]}',
      '/api/bulk-shorten',
    )
    expect(({} as Record<string, unknown>).is_admin).toBeUndefined()
  })
})
