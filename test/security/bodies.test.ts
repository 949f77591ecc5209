import { beforeAll, describe, expect, test } from 'bun:test'
import { useCaller, useServiceRig } from '../rigs/service/service-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

// T19, T20, T35: bodies that are too large, too deep, or more than they seem.

const GOOD = { original_url: 'https://example.com/a' }

const rig = useServiceRig()
const caller = useCaller(rig)

beforeAll(async () => {
  await send({ ...GOOD, custom_code: 'hello', title: 'Before' })
})

describe('size', () => {
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
