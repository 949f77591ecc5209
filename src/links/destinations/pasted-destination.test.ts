import { describe, expect, test } from 'bun:test'
import type { FieldCode } from '../../errors/field-codes.ts'
import { Blocks } from './blocks.ts'
import { type DestinationRules, readDestination } from './destination.ts'

const rules: DestinationRules = {
  ownHosts: new Set(['tern.example']),
  allowPrivate: false,
  blocks: new Blocks(),
}

describe('what people paste along', () => {
  test.each([
    ' ',
    '\t',
    '\r\n',
    '\xa0',
    '\u3000',
    '\0',
    '\x7f',
    '\u200b',
    '\ufeff',
    '\u2060',
    '\xad',
    '\u202c',
    '\u3164',
    '\u2800',
    '\u{e0041}',
    ' \u200b\t ',
  ])('%j at both ends is removed', (pasted) => {
    const text = 'https://example.com/a'
    expect(readWhole(pasted + text + pasted)).toEqual({ text, href: text })
  })

  test('an emoji at the end stays whole', () => {
    for (const end of ['\u2764\ufe0f', '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}']) {
      const text = `https://example.com/${end}`
      expect(readWhole(`${text} \u200b`)).toHaveProperty('text', text)
    }
  })

  test('spaces inside are encoded, but a host has none', () => {
    const text = 'https://example.com/my%20file%20(1).pdf?q=a%20b#c%20d'
    expect(readWhole('https://example.com/my file (1).pdf?q=a b#c d')).toEqual({ text, href: text })
    for (const host of ['exa mple.com', ' example.com', 'example.com :80', 'example.com /x'])
      expect(read(`https://${host}/`)).toEqual(NOT_A_URL)
  })

  test('a backslash in the query and the fragment stays', () => {
    const text = 'https://example.com/path?q=a\\b\\c#d\\e'
    expect(readWhole(text)).toEqual({ text, href: text })
    expect(read('https://example.com/#\\')).toHaveProperty('href')
  })

  test('what is too long without them is refused, and long runs of them cost little', () => {
    const start = 'https://example.com/'
    expect(read(`${' '.repeat(8000)}${start}${'x'.repeat(8192 - start.length)}`)).toHaveProperty('href')
    expect(read(`${start}${' '.repeat(8000)}x`)).toEqual(TOO_LONG)
    expect(read(' '.repeat(16_384))).toEqual(NOT_A_URL)
  })
})

describe('a URL without a scheme', () => {
  const proposal = (url: string) =>
    refused('scheme_missing', `must start with https:// or another scheme. Did you mean ${url}?`)
  const proposed =
    listed(`example.com example.com/page www.example.com?q=1#x example.com:8443/ bücher.example/é
    8.8.8.8/dns`)
  test.each(proposed)('%s is proposed with one', (text) => {
    expect(read(text)).toEqual(proposal(`https://${text}`))
  })

  test('also after two slashes, and trimmed', () => {
    expect(read('//example.com/a')).toEqual(proposal('https://example.com/a'))
    expect(read(' example.com/a b\u200b')).toEqual(proposal('https://example.com/a%20b'))
  })

  test('nothing is proposed that is refused', () => {
    const blocks = new Blocks()
    blocks.replace({ hosts: ['evil.example'], workspaceIds: [], closedWorkspaceIds: [] })
    for (const text of listed(
      'tern.example/x user@example.com 10.0.0.1/ a..b.com evil.example printer.local word',
    ))
      expect(read(text, { blocks })).toEqual(NOT_A_URL)
  })
})

describe('schemes that the operator has added', () => {
  const schemes = ['http', 'https', 'mailto', 'tel', 'sms', 'fb', 'com.example.app']
  test.each<[sent: string, href: string]>([
    ['mailto:someone@example.com?subject=Hello there', 'mailto:someone@example.com?subject=Hello%20there'],
    ['TEL:+49 30 123456', 'tel:+49%2030%20123456'],
    ['sms:+4930123456?body=hi', 'sms:+4930123456?body=hi'],
    ['fb://profile/1', 'fb://profile/1'],
    ['com.example.app://', 'com.example.app://'],
    ['fb://tern.example/x', 'fb://tern.example/x'],
  ])('%s is accepted', (sent, href) => {
    expect(read(sent, { schemes })).toEqual({ href })
    expect(read(sent)).toHaveProperty('code')
  })

  test('other schemes are refused by a sentence that names all, and so is a scheme alone', () => {
    const error =
      'The :attribute must be a valid URL that starts with http://, https://, mailto:, tel:, sms:, fb:, or com.example.app:.'
    for (const text of ['javascript:alert(1)', 'viber://pa', 'mailto:', 'tel:\\1', 'word'])
      expect(read(text, { schemes })).toEqual({ code: 'url_invalid', error })
  })

  test('a blocked host is blocked for apps too, however it is written', () => {
    const blocks = new Blocks()
    blocks.replace({ hosts: ['evil.example'], workspaceIds: [], closedWorkspaceIds: [] })
    expect(read('fb://www.EVIL.example/x', { schemes, blocks })).toHaveProperty('code', 'host_blocked')
  })
})

const refused = (code: FieldCode, rule: string) => ({ code, error: `The :attribute ${rule}` })
const NOT_A_URL = refused('url_invalid', 'must be a valid URL that starts with http:// or https://.')
const TOO_LONG = refused('too_long', 'may not be greater than 8192 characters.')

const readWhole = (text: string, changed: Partial<DestinationRules> = {}) =>
  readDestination(text, { ...rules, ...changed })
const read = (text: string, changed: Partial<DestinationRules> = {}) => {
  const found = readWhole(text, changed)
  return 'href' in found ? { href: found.href } : found
}

const listed = (text: string): string[] => text.trim().split(/\s+/)
