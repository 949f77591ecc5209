import { expect, test } from 'bun:test'
import { searchTermsOf } from './search-terms.ts'

const OWN = new Set(['tern.example', 'go.example:8080'])
const DOMAINS = {
  has: (host: string) => OWN.has(host),
  codeOn: (_: number, code: string) => code,
  idOf: () => 0,
  prefixOf: () => '',
}
const termsOf = (search: string) => searchTermsOf(search, DOMAINS)
const words = (count: number) => Array.from({ length: count }, (_, n) => `W${n}`).join(' ')

test('words are folded, and each is there once', () => {
  expect(termsOf('  Summer\tSALE\u00a0summer ÄRGER ')).toEqual({
    words: ['summer', 'sale', 'arger'],
    shortUrl: undefined,
  })
})

test('signs are part of their word', () => {
  expect(termsOf('say "two words" -not OR a*').words).toEqual(['say', '"two', 'words"', '-not', 'or', 'a*'])
})

test('more than twenty words are one text', () => {
  expect(termsOf(words(20)).words).toHaveLength(20)
  expect(termsOf(` ${words(21)} `).words).toEqual([words(21).toLowerCase()])
})

test.each([
  ['https://tern.example/AbC', 'AbC'],
  ['tern.example/AbC', 'AbC'],
  ['HTTP://Tern.Example/AbC/', 'AbC'],
  ['https://tern.example:443/AbC+', 'AbC'],
  ['tern.example./AbC?a=/b+#c', 'AbC'],
  ['go.example:8080/my_code-1#x', 'my_code-1'],
  ['tern.example/AbC/d', 'AbC/d'],
  ['https://tern.example/%E5%86%AC/', '冬'],
])('a short URL is the code behind it: %s', (text, code) => {
  expect(termsOf(text)).toEqual({
    words: [text.toLowerCase()],
    shortUrl: { domainId: 0, code, otherWords: [] },
  })
})

test('the words beside a short URL stay, in which place it may be', () => {
  const shortUrl = { domainId: 0, code: 'AbC', otherWords: ['big', 'sale'] }
  expect(termsOf('Big tern.example/AbC Sale').shortUrl).toEqual(shortUrl)
  expect(termsOf('tern.example/AbC Big Sale').shortUrl).toEqual(shortUrl)
})

test.each([
  'AbC',
  'tern.example',
  'tern.example/',
  'tern.example/AbC++',
  'other.example/AbC',
  'tern.example:81/AbC',
  'go.example/AbC',
  'me@tern.example/AbC',
  'ftp://tern.example/AbC',
  '//tern.example/AbC',
  'https://tern.example\\AbC/AbC',
  '[::1/AbC',
])('what is no short URL of ours is a word: %s', (text) => {
  expect(termsOf(text)).toEqual({ words: [text.toLowerCase()], shortUrl: undefined })
})
