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
  ])('comes as %s to who accepts %s', (encoding, accepted, unpack) => {
    const { status, headers, body } = compressResponse(answer(), accepted)
    expect([status, headers]).toEqual([
      200,
      [JSON_TYPE, ['Vary', 'Accept-Encoding'], ['Content-Encoding', encoding]],
    ])
    expect(body.byteLength).toBeLessThan(TEXT.length / 3)
    expect(unpack(new Uint8Array(body)).toString()).toBe(TEXT)
  })

  test('comes as it is to others, and says that it might not', () => {
    for (const accepted of [undefined, '', 'deflate', 'gzip;q=0']) {
      const { headers, body } = compressResponse(answer(), accepted)
      expect(headers).toEqual([JSON_TYPE, ['Vary', 'Accept-Encoding']])
      expect(new TextDecoder().decode(body)).toBe(TEXT)
    }
  })
})

test.each([
  ['it is short', answer('{}')],
  ['it is a picture', answer(TEXT, [['content-type', 'image/png']])],
  ['it has its form already', answer(TEXT, [JSON_TYPE, ['Content-Encoding', 'br']])],
  ['its form was chosen already', answer(TEXT, [JSON_TYPE, ['vary', 'Accept-Encoding']])],
])('an answer stays as it is where %s', (_why, given) => {
  expect(compressResponse(given, 'br, gzip')).toBe(given)
})
