import { describe, expect, test } from 'bun:test'
import { isMultiline, looksLikeUrl, withAddedScheme, withScheme } from './added-scheme.tsx'

test.each([
  ['example.com/a', 'https://example.com/a'],
  ['shop.example.com:8443?q=1', 'https://shop.example.com:8443?q=1'],
  ['https://example.com/', 'https://example.com/'],
  ['//bücher.example/ä', 'https://bücher.example/ä'],
  [' \u200bexample.com/a\n', 'https://example.com/a'],
  ['mailto:ada@example.com', 'mailto:ada@example.com'],
  ['just words', 'just words'],
])('%s is taken as %s', (text, url) => expect(withScheme(text)).toBe(url))

test.each([
  ['example.com/a', 'https://example.com/a'],
  ['https://example.com/a', undefined],
  ['HTTP://example.com', undefined],
  ['mailto:ada@example.com', undefined],
  ['example', undefined],
  ['', undefined],
])('%s is said to become %p', (text, url) => expect(withAddedScheme(text)).toBe(url as never))

describe('what is pasted', () => {
  test.each([
    'https://example.com/a?b=c#d',
    'https://a.test/my file (1).pdf',
    'HTTP://EXAMPLE.COM',
    'example.com',
    'www.example.co.uk/a',
  ])('%s is a URL', (text) => expect(looksLikeUrl(text)).toBe(true))

  test.each(['', 'word', 'a sentence of words', 'ftp://example.com', 'javascript:alert(1)', 'https://a b.c'])(
    '%j is none',
    (text) => expect(looksLikeUrl(text)).toBe(false),
  )

  test('several lines are more than one with something on it', () => {
    expect(isMultiline('https://a.test\n\r\nhttps://b.test')).toBe(true)
    expect(isMultiline('https://a.test\n\n')).toBe(false)
    expect(isMultiline('https://a.test')).toBe(false)
  })
})
