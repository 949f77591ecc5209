import { expect, test } from 'bun:test'
import { REFERRER_CHARS_MAX } from '../journal/click.ts'
import { referrerHost } from './referrer-host.ts'

test.each<[referrer: string, host: string]>([
  ['https://news.example.org/page?q=secret#top', 'news.example.org'],
  ['https://news.example.org', 'news.example.org'],
  ['HTTPS://News.Example.ORG/', 'news.example.org'],
  ['http://news.example.org:8080/page', 'news.example.org'],
  ['https://news.example.org?q=1', 'news.example.org'],
  ['https://news.example.org#top', 'news.example.org'],
  ['https://user:password@news.example.org/', 'news.example.org'],
  ['https://192.0.2.7/', '192.0.2.7'],
  ['https://[2001:DB8::1]:443/', '[2001:db8::1]'],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['android-app://com.google.android.gm/', 'com.google.android.gm'],
])('%s is from %s', (referrer, host) => {
  expect(referrerHost(referrer)).toBe(host)
})

test.each([
  '',
  'about:blank',
  '/page',
  'news.example.org',
  '//news.example.org/',
  'https://',
  'https:///page',
  'https://news example.org/',
  'https://news.example.org\\@other.example/',
  'https://<script>/',
  ' https://news.example.org/',
])('%j names no host', (referrer) => {
  expect(referrerHost(referrer)).toBe('')
})

test('an absent one names none', () => {
  expect(referrerHost(null)).toBe('')
})

test('a host that is too long to be kept is left out, one that just fits is not', () => {
  const fits = 'a'.repeat(REFERRER_CHARS_MAX)
  expect(referrerHost(`https://${fits}/`)).toBe(fits)
  expect(referrerHost(`https://${fits}a/`)).toBe('')
})

test('a very long page is read no further than needed', () => {
  expect(referrerHost(`https://news.example.org/${'a'.repeat(1_000_000)}`)).toBe('news.example.org')
  expect(referrerHost(`https://${'@'.repeat(1_000_000)}`)).toBe('')
})
