import { describe, expect, test } from 'bun:test'
import { acceptedLanguages, bestLanguage, primaryLanguage } from './accept-language.ts'

describe('an Accept-Language header', () => {
  test.each([
    ['', []],
    ['de', ['de']],
    ['de-AT, de;q=0.9,en;q=0.8', ['de-at', 'de', 'en']],
    ['en;q=0.2, fr ; q=0.7, de;q=1.0', ['de', 'fr', 'en']],
    ['en;q=0.5, de;q=0.5', ['en', 'de']],
    ['*, de;q=0, fr;q=0.000, it', ['it']],
    ['de;q=2, <script>, fr;level=1, ,;q=1, es', ['es']],
    ['x'.repeat(20_000), []],
    [`${'*,'.repeat(20)}de`, []],
  ])('%# gives the languages by preference', (header, languages) => {
    expect(acceptedLanguages(header)).toEqual(languages)
  })
})

test.each([
  ['de-at', ['de'], 'de'],
  ['de', ['de-at'], undefined],
  ['nl, de;q=0.5, en;q=0.8', ['de', 'en'], 'en'],
  ['zh-hant-cn-x-private1-private2', ['zh-hant-cn', 'zh'], 'zh-hant-cn'],
  ['zh-x-private', ['zh-x', 'zh'], 'zh'],
  ['fr', [], undefined],
])('the best match for %s among %j is %p', (header, available, best) => {
  expect(bestLanguage(acceptedLanguages(header), new Set(available))).toBe(best)
})

test('the primary language is that of the first', () => {
  expect(primaryLanguage(acceptedLanguages('en;q=0.5, pt-BR'))).toBe('pt')
  expect(primaryLanguage([])).toBe('')
})
