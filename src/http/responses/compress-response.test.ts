import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressResponse } from './compress-response.ts'

const TEXT = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, title: `Link ${id}` })))
const JSON_TYPE: [string, string] = ['content-type', 'application/json; charset=utf-8']
const answer = (text = TEXT, headers: [string, string][] = [JSON_TYPE]) => ({
  status: 200,
  headers,
  body: new TextEncoder().encode(text).buffer as ArrayBuffer,
})

describe('an answer of more than a kibibyte', () => {
  test.each([
    ['br', 'gzip, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('comes as %s to who accepts %s', async (encoding, accepted, unpack) => {
    const { status, headers, body } = await compressResponse(answer(), accepted)
    expect([status, headers]).toEqual([
      200,
      [JSON_TYPE, ['Vary', 'Accept-Encoding'], ['Content-Encoding', encoding]],
    ])
    expect(body.byteLength).toBeLessThan(TEXT.length / 3)
    expect(unpack(new Uint8Array(body)).toString()).toBe(TEXT)
  })

  test('comes as it is to others, and says that it might not', async () => {
    for (const accepted of [undefined, '', 'deflate', 'gzip;q=0']) {
      const { headers, body } = await compressResponse(answer(), accepted)
      expect(headers).toEqual([JSON_TYPE, ['Vary', 'Accept-Encoding']])
      expect(new TextDecoder().decode(body)).toBe(TEXT)
    }
  })
})

const LARGE = TEXT.repeat(100)
const UNPACK: Record<string, (bytes: Uint8Array) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

test('large answers at once are each compressed, or sent as they are where too many wait', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => `${n} ${LARGE}`)
  const answers = await Promise.all(
    texts.map((text, n) => compressResponse(answer(text), n % 2 === 0 ? 'br' : 'gzip')),
  )
  const encodings = answers.map(({ headers }) => new Map(headers).get('Content-Encoding'))
  expect(encodings.slice(0, 8)).toEqual(['br', 'gzip', 'br', 'gzip', 'br', 'gzip', 'br', 'gzip'])
  expect(encodings.slice(8)).toEqual(Array(12).fill(undefined))
  for (const [n, { headers, body }] of answers.entries()) {
    const bytes = new Uint8Array(body)
    expect(Buffer.from(UNPACK[encodings[n] ?? '']?.(bytes) ?? bytes).toString() === texts[n]).toBe(true)
    expect(headers).toContainEqual(['Vary', 'Accept-Encoding'])
  }
  const later = await compressResponse(answer(LARGE), 'gzip')
  expect(gunzipSync(later.body).toString() === LARGE).toBe(true)
})

test('a large answer is not compressed on the thread that asks for it', async () => {
  const [short, large] = [TEXT, LARGE].map((text) => compressResponse(answer(text), 'br'))
  // What the thread does itself is done without a turn of its event loop.
  for (let n = 0; n < 100; n++) await Promise.resolve()
  expect([short, large].map((each) => Bun.peek.status(each!))).toEqual(['fulfilled', 'pending'])
  await large
})

test.each([
  ['it is short', answer('{}')],
  ['it is a picture', answer(TEXT, [['content-type', 'image/png']])],
  ['it has its form already', answer(TEXT, [JSON_TYPE, ['Content-Encoding', 'br']])],
  ['its form was chosen already', answer(TEXT, [JSON_TYPE, ['vary', 'Accept-Encoding']])],
])('an answer stays as it is where %s', async (_why, given) => {
  expect(await compressResponse(given, 'br, gzip')).toBe(given)
})
