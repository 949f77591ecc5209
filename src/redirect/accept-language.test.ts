import { describe, expect, test } from 'bun:test'
import { acceptedLanguages, bestLanguage, primaryLanguage } from './accept-language.ts'

describe('an Accept-Language header', () => {
  test.each([
    ['', []],
    ['de', ['de']],
    ['de-AT, de;q=0.9,en;q=0.8', ['de-at', 'de', 'en']],
    ['en_US, zh_Hant_TW;q=.5, fr;q=.7, es;Q=0.12345', ['en-us', 'fr', 'zh-hant-tw', 'es']],
    ['en;q=0.9, de;q=1.0000, it;q=1.', ['de', 'it', 'en']],
    ['en, de;q=5, es;q=., fr;q=1.2.3', ['en']],
    ['iw-IL, in;q=0.9, ji;q=0.8, no;q=0.7', ['he-il', 'id', 'yi', 'nb']],
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
  ['zh-TW,zh;q=0.9,en;q=0.8', ['zh-hant', 'en'], 'zh-hant'],
  ['zh-HK', ['zh-hans', 'zh-hant'], 'zh-hant'],
  ['zh-MO', ['zh-hans', 'zh-hant-mo', 'zh-hant'], 'zh-hant-mo'],
  ['zh-CN', ['zh-hant', 'zh-hans'], 'zh-hans'],
  ['zh-SG', ['zh-hant', 'zh-hans'], 'zh-hans'],
  ['zh', ['zh-hant', 'zh-hans'], 'zh-hans'],
  ['zh-TW', ['zh-hans', 'zh'], 'zh'],
  ['zh-TW', ['zh-hans', 'zh-cn'], undefined],
  ['zh-Hant-TW', ['zh-tw', 'zh-hant'], 'zh-tw'],
  ['zh-Hant', ['zh-tw', 'zh-hans'], undefined],
  ['sr', ['sr-latn', 'sr-cyrl'], 'sr-cyrl'],
  ['zz-zz', ['en'], undefined],
  ['fr', [], undefined],
])('the best match for %s among %j is %p', (header, available, best) => {
  expect(bestLanguage(acceptedLanguages(header), new Set(available))).toBe(best)
})

test.each([
  ['en;q=0.5, pt-BR', 'pt'],
  ['iw-IL', 'he'],
  ['i-klingon, de;q=0.5', ''],
  ['*', ''],
  ['', ''],
  [null, ''],
])('the primary language of %j is %j', (header, language) => {
  expect(primaryLanguage(header)).toBe(language)
})
