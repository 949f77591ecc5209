import { expect, test } from 'bun:test'
import { languageTag, suitableTags } from './language-tag.ts'

test.each([
  ['en_US', 'en-us'],
  ['IW', 'he'],
  ['in-ID', 'id-id'],
  ['no', 'nb'],
  ['nn-NO', 'nn-no'],
  ['ZH-hant-tw', 'zh-hant-tw'],
  ['zh-cmn-Hans', 'zh-cmn-hans'],
  ['x-private', 'x-private'],
])('%s is called %s', (text, tag) => expect(languageTag(text)).toBe(tag))

test.each([
  ['zh-tw', ['zh-tw', 'zh-hant-tw', 'zh-hant', 'zh']],
  ['zh-hans-cn', ['zh-hans-cn', 'zh-cn', 'zh-hans', 'zh']],
  ['zh-hant-cn', ['zh-hant-cn', 'zh-hant', 'zh']],
  ['de', ['de', 'de-latn']],
  ['zz-zz', expect.arrayContaining(['zz-zz', 'zz'])],
  ['x-private', ['x-private', 'x']],
])('%s is suited by %j', (tag, tags) => expect([...suitableTags(tag)]).toEqual(tags))
