import { expect, test } from 'bun:test'
import { addQuery, replaceQuery } from './forward-query.ts'

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
])('adds %s', (_, destination, query, expected) => {
  expect(addQuery(destination, query)).toBe(expected)
})

test.each([
  ['nothing', `${TO}?a=1#f`, '', `${TO}?a=1#f`],
  ['the value of its name', `${TO}?a=1`, 'a=2', `${TO}?a=2`],
  ['all of its name by all of the visitor', `${TO}?a=1&b=1&a=2`, 'a=3&c&a=4', `${TO}?b=1&a=3&c&a=4`],
  ['a name in another spelling', `${TO}?a%20b=1&c`, '%61+b=2', `${TO}?c&%61+b=2`],
  ['a value by none', `${TO}?a=1&b=2`, 'a', `${TO}?b=2&a`],
  ['a name in this case only', `${TO}?A=1`, 'a=2', `${TO}?A=1&a=2`],
  ['a parameter in front of a fragment', `${TO}?a=1#top`, 'a=2', `${TO}?a=2#top`],
  ['nothing inside of a fragment', `${TO}#?a=1`, 'a=2', `${TO}?a=2#?a=1`],
  ['a UTM parameter', `${TO}?utm_source=web&utm_medium=x`, 'utm_source=n', `${TO}?utm_medium=x&utm_source=n`],
  [
    'no keys of the API and no mark of QR codes',
    `${TO}?api_key=1&qr=x`,
    'api_key=2&qr',
    `${TO}?api_key=1&qr=x`,
  ],
  ['nothing because of the preview page', `${TO}?via=mail`, 'via=preview', `${TO}?via=mail`],
  [
    'a name in the same spelling only, if the query is broken',
    `${TO}?a=1&b=1`,
    '%61=2&b=2&%',
    `${TO}?a=1&%61=2&b=2&%`,
  ],
  ['a broken escape by the same', `${TO}?%zz=1`, '%zz=2', `${TO}?%zz=2`],
  ['no other empty pairs', `${TO}?&a=1&`, 'a=2', `${TO}?&&a=2`],
  ['nothing where the rest is added', `${TO}?x=1&`, 'a=1', `${TO}?x=1&a=1`],
  ['nothing that would be too long for a proxy', `${TO}?a=1`, `a=${'1'.repeat(8192)}`, `${TO}?a=1`],
  ['nothing of a number', 'tel:+1?a=1', 'a=2', 'tel:+1?a=1'],
])('replaces %s', (_, destination, query, expected) => {
  expect(replaceQuery(destination, query)).toBe(expected)
})
