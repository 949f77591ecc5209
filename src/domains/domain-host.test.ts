import { expect, test } from 'bun:test'
import { domainHost } from './domain-host.ts'

const RULES = { baseUrl: 'https://tern.example:8443', allowPrivateDestinations: false }

const read = (text: string, rules = RULES) => {
  const { data, error } = domainHost(rules).safeParse(text)
  return data ?? error!.issues[0]!.message
}

test('any spelling of a name is the one that URLs have', () => {
  const spellings = {
    'go.example.com': 'go.example.com',
    ' GO.Example.COM. ': 'go.example.com',
    'münchen.example': 'xn--mnchen-3ya.example',
    'xn--mnchen-3ya.example': 'xn--mnchen-3ya.example',
    '🐦.example': 'xn--uo8h.example',
  }
  for (const [text, host] of Object.entries(spellings)) expect(read(text)).toBe(host)
})

test('what is no name of a domain is refused', () => {
  const others = [
    '',
    'example',
    'https://go.example',
    'go.example/',
    'go.example:80',
    'me@go.example',
    'a..example',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '-a.example',
    'a-.example',
    '_tern.example',
    '*.example',
    'go example',
    'go%2eexample.com',
    '①②⑦.0.0.1',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(120)}example.com`,
  ]
  for (const text of others)
    expect([text, read(text)]).toEqual([
      text,
      'The :attribute must be a domain name, for example go.example.com.',
    ])
})

test('a name takes no longer the longer it is', () => {
  expect(read('ä'.repeat(1_000_000))).toBe('The :attribute may not be greater than 255 characters.')
})

test('neither the name of this server nor, unless the operator allows it, private ones', () => {
  expect(read('Tern.example')).toContain('is the one of this server')
  for (const name of ['links.internal', 'go.local', 'a.localhost'])
    expect(read(name)).toBe('The :attribute must be a name that is public on the internet.')
  expect(read('links.internal', { ...RULES, allowPrivateDestinations: true })).toBe('links.internal')
})
