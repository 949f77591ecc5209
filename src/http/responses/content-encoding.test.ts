import { expect, test } from 'bun:test'
import { chooseEncoding, COMPRESSED_BYTES_MIN, isCompressible } from './content-encoding.ts'

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
