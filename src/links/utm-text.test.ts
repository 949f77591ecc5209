import { expect, test } from 'bun:test'
import { utmTextOf } from './utm-text.ts'

test.each([
  ['', ''],
  ['a=1&utm_id=7&source=a', ''],
  ['utm_source=poster', 'utm_source=poster'],
  ['x&utm_campaign=a+b%20c&utm%5Fsource=Stra%C3%9Fe', 'utm_source=Stra%C3%9Fe&utm_campaign=a%20b%20c'],
  ['utm_source=first&utm_source=second', 'utm_source=first'],
  ['utm_source=&utm_medium&utm_term=a=b', 'utm_term=a%3Db'],
  ['utm_source=%ZZ', 'utm_source=%25ZZ'],
  ['UTM_SOURCE=a', ''],
])('the UTM parameters of ?%s are one text in one order and spelling', (query, text) => {
  expect(utmTextOf(query)).toBe(text)
  expect(utmTextOf(text)).toBe(text)
})

test('values that destinations could not have are not counted', () => {
  expect(utmTextOf(`utm_source=${'a'.repeat(201)}&utm_medium=a%0Ab&utm_term=c`)).toBe('utm_term=c')
})

test('what the journal has no room for is left out', () => {
  const long = encodeURIComponent('日'.repeat(100))
  expect(utmTextOf(`utm_source=${long}&utm_medium=${long}&utm_term=c`)).toBe(`utm_source=${long}&utm_term=c`)
})
