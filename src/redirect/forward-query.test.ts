import { expect, test } from 'bun:test'
import { forwardQuery } from './forward-query.ts'

const TO = 'https://example.com/a'

test.each([
  ['nothing', TO, '', TO],
  ['parameters', TO, 'a=1&b', `${TO}?a=1&b`],
  ['in front of a fragment', `${TO}#top`, 'a=1', `${TO}?a=1#top`],
  ['beside its own', `${TO}?x=1`, 'a=1', `${TO}?x=1&a=1`],
  ['behind a mark without parameters', `${TO}?`, 'a=1', `${TO}?a=1`],
  ['behind an open end', `${TO}?x=1&`, 'a=1', `${TO}?x=1&a=1`],
  ['several of one name', TO, 'a=1&a=2', `${TO}?a=1&a=2`],
  ['not what the destination has', `${TO}?a=1#f`, 'a=2&b=3', `${TO}?a=1&b=3#f`],
  ['not what it has in another spelling', `${TO}?a%20b=1`, 'a+b=2&%61+b=3', `${TO}?a%20b=1`],
  ['no keys of the API and no mark of QR codes', TO, 'api_key=1&QR&qr=&Api_Key=2&z', `${TO}?z`],
  ['not that the visitor comes from the preview page', TO, 'via=preview&via=mail', `${TO}?via=mail`],
  ['no empty pairs', TO, '&&=1&a=1&', `${TO}?a=1`],
  ['a broken escape as it is', TO, '%zz=1', `${TO}?%zz=1`],
  ['a question mark inside of a fragment is none', `${TO}#?x=1`, 'x=2', `${TO}?x=2#?x=1`],
  ['nothing that would be too long for a proxy', TO, `a=${'1'.repeat(8192)}`, TO],
])('%s', (_, destination, query, expected) => {
  expect(forwardQuery(destination, query)).toBe(expected)
})
