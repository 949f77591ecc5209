import { expect, test } from 'bun:test'
import { domainToASCII } from 'node:url'
import { unicodeHost } from './unicode-host.ts'

test.each([
  'münchen-links.de',
  'bücher.example',
  '例え.テスト',
  '冬セール.example',
  '한국어.example',
  'ελληνικά.example',
  'правда.example',
  '🚀.example.com',
  'go.straße-x.example',
  'ñandú.café.example',
  'مثال.example',
])('%s is shown as it is written', (host) => {
  const ascii = domainToASCII(host)
  expect(ascii).toContain('xn--')
  expect(unicodeHost(ascii)).toBe(host)
})

test('names that are plain stay as they are', () => {
  for (const host of ['go.example.com', 'xn.example', 'a-b.example']) expect(unicodeHost(host)).toBe(host)
})

test.each([
  ['Cyrillic and Latin letters in one label', 'pаypal.example'],
  ['Greek and Latin letters in one label', 'gοogle.example'],
  ['nothing but Cyrillic letters that look Latin', 'аррӏе.example'],
  ['nothing but Greek letters that look Latin', 'ορο.example'],
])('a name with %s stays in punycode', (_, host) => {
  const ascii = domainToASCII(host)
  expect(ascii).toStartWith('xn--')
  expect(unicodeHost(ascii)).toBe(ascii)
})

test('what is no punycode, or not that of a name, stays as it is', () => {
  for (const host of [
    'xn--.example',
    'xn--99999999.example',
    'xn--a.example',
    'xn--ü.example',
    'xn--zzzzzzzzzzzz.example',
  ])
    expect(unicodeHost(host)).toBe(host)
})
