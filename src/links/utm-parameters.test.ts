import { expect, test } from 'bun:test'
import { utmOf, writeUtm } from './utm-parameters.ts'

const TO = 'https://example.com/a'
const NOTHING = { source: null, medium: null, campaign: null, term: null, content: null }

test.each<[what: string, url: string, utm: Parameters<typeof writeUtm>[1], expected: string]>([
  ['nothing', `${TO}?a=%20b&&c#f?g`, {}, `${TO}?a=%20b&&c#f?g`],
  ['the first parameters', TO, { source: 'mail', term: 'x' }, `${TO}?utm_source=mail&utm_term=x`],
  ['behind others and in front of a fragment', `${TO}?b=1#f`, { source: 'm' }, `${TO}?b=1&utm_source=m#f`],
  ['where it was', `${TO}?utm_source=old&b=+1`, { source: 'new' }, `${TO}?utm_source=new&b=+1`],
  ['once', `${TO}?utm_source=a&b&utm_source=c`, { source: 'd' }, `${TO}?utm_source=d&b`],
  ['nothing new', `${TO}?utm_source=a+b`, { source: 'a b', term: null }, `${TO}?utm_source=a+b`],
  ['for another spelling', `${TO}?%75tm_source=a`, { source: 'b' }, `${TO}?utm_source=b`],
  ['not for another name', `${TO}?UTM_SOURCE=a`, { source: 'b' }, `${TO}?UTM_SOURCE=a&utm_source=b`],
  ['escaped', TO, { campaign: 'a b&c=d#é+%' }, `${TO}?utm_campaign=a%20b%26c%3Dd%23%C3%A9%2B%25`],
  ['nothing more', `${TO}?utm_source=a&b=1&utm_term=c`, { source: null, term: '' }, `${TO}?b=1`],
  ['no query', `${TO}?utm_source=a#f`, { source: null }, `${TO}#f`],
  ['nothing into a fragment', `${TO}#?utm_source=a`, { source: 'b' }, `${TO}?utm_source=b#?utm_source=a`],
  ['a slash behind a host', 'https://example.com', { source: 'a' }, 'https://example.com/?utm_source=a'],
  ['a slash in front of a query', 'HTTP://a.example?b', { term: 'c' }, 'HTTP://a.example/?b&utm_term=c'],
  [
    'a slash and a fragment',
    'https://a.example:8080#f',
    { term: 'c' },
    'https://a.example:8080/?utm_term=c#f',
  ],
  [
    'no slash without a change',
    'https://a.example?utm_term=c',
    { term: 'c' },
    'https://a.example?utm_term=c',
  ],
  ['no slash with the last', 'https://a.example?utm_term=c', { term: null }, 'https://a.example'],
])('%s', (_, url, utm, expected) => {
  expect(writeUtm(url, utm)).toBe(expected)
})

test('what was written is read back', () => {
  const utm = { source: 'a b+c', medium: 'é&=#%', campaign: '%41', term: '?', content: '1' }
  expect(utmOf(writeUtm(`${TO}?x=1#f`, utm))).toEqual(utm)
})

test('a destination without such parameters has none', () => {
  for (const url of [TO, `${TO}?a=1`, `${TO}#?utm_source=a`]) expect(utmOf(url)).toBeNull()
  expect(utmOf(`${TO}?utm_source`)).toEqual({ ...NOTHING, source: '' })
  expect(utmOf(`${TO}?utm_source=%zz+`)).toEqual({ ...NOTHING, source: '%zz ' })
})
