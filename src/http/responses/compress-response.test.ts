import { describe, expect, test } from 'bun:test'
import {
  chooseEncoding,
  COMPRESSED_BYTES_MIN,
  compressResponse,
  isCompressible,
} from './compress-response.ts'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=0.5 , BR;q=1', 'br'],
  ['gzip;q=1.0, br;q=0.8', 'gzip'],
  ['gzip;q=0.8, br;q=0.8', 'br'],
  ['identity;q=1, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity;q=0', 'identity'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.0, gzip;q=0', 'identity'],
  ['br;q=odd, gzip', 'gzip'],
  ['zstd, *', 'identity'],
  [',,;;q=1,', 'identity'],
])('who accepts %j gets %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted, ['identity', 'br', 'gzip'])).toBe(encoding as never)
})

test('a form that there is not is not chosen', () => {
  expect(chooseEncoding('br, gzip', ['identity'])).toBe('identity')
  expect(chooseEncoding('br, gzip;q=0.1', ['identity', 'gzip'])).toBe('gzip')
})

test('texts of more than a kibibyte are compressible; pictures and streams are not', () => {
  const more = COMPRESSED_BYTES_MIN + 1
  for (const type of [
    'application/json; charset=utf-8',
    'text/html',
    'text/css',
    'image/svg+xml; charset=utf-8',
  ])
    expect([type, isCompressible(type, more), isCompressible(type, COMPRESSED_BYTES_MIN)]).toEqual([
      type,
      true,
      false,
    ])
  for (const type of [
    '',
    'image/png',
    'image/x-icon',
    'font/woff2',
    'text/event-stream',
    'application/x-ndjson',
  ])
    expect([type, isCompressible(type, more)]).toEqual([type, false])
})

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
