import { describe, expect, test } from 'bun:test'
import {
  applyTemplate,
  changedTemplates,
  otherSpelling,
  readUtm,
  templateFrom,
  templateOf,
  utmParts,
  withoutUtm,
  withTemplate,
  withUtmOf,
  writeUtm,
} from './utm.ts'

const URL = 'https://example.com/a?size=m&utm_source=news%20letter&UTM_Medium=e+mail&empty=#top'

describe('UTM parameters', () => {
  test('are read from the URL', () => {
    expect(readUtm(URL, 'source')).toBe('news letter')
    expect(readUtm(URL, 'medium')).toBe('e mail')
    expect(readUtm(URL, 'campaign')).toBe('')
    expect(readUtm('https://example.com/?utm_term=%E0%A4%A', 'term')).toBe('%E0%A4%A')
    expect(readUtm('https://example.com/?utm_term', 'term')).toBe('')
  })

  test('are written in their place, before the fragment, and leave the rest as it is', () => {
    expect(writeUtm(URL, 'source', 'a&b')).toBe(
      'https://example.com/a?size=m&utm_source=a%26b&UTM_Medium=e+mail&empty=#top',
    )
    expect(writeUtm('https://example.com/#top', 'campaign', 'winter')).toBe(
      'https://example.com/?utm_campaign=winter#top',
    )
    expect(writeUtm('https://example.com/?', 'content', 'x')).toBe('https://example.com/?utm_content=x')
  })

  test('are written behind a slash, and one that stays as it is adds none', () => {
    expect(writeUtm('https://example.com', 'content', 'x')).toBe('https://example.com/?utm_content=x')
    expect(writeUtm('https://a.example?b#c', 'term', 'x')).toBe('https://a.example/?b&utm_term=x#c')
    const plain = 'https://example.com?utm_term=x'
    expect(writeUtm(plain, 'term', 'x')).toBe(plain)
    expect(writeUtm(plain, 'source', '')).toBe(plain)
  })

  test('are copied to another URL, which keeps those that the first one does not have', () => {
    expect(withUtmOf(URL, 'https://example.com/b?utm_source=old&utm_term=t&x=1')).toBe(
      'https://example.com/b?utm_source=news%20letter&utm_term=t&x=1&utm_medium=e%20mail',
    )
    expect(withUtmOf('https://example.com/', 'https://example.com/b')).toBe('https://example.com/b')
  })

  test('are removed one by one, and all at once', () => {
    expect(writeUtm(URL, 'medium', '')).toBe(
      'https://example.com/a?size=m&utm_source=news%20letter&empty=#top',
    )
    expect(withoutUtm('https://example.com/?utm_source=a&utm_medium=b')).toBe('https://example.com/')
  })
})

test('a value that was used before in another case is found, unless this one was used too', () => {
  const used = ['newsletter', 'Print']
  expect(otherSpelling('Newsletter ', used)).toBe('newsletter')
  expect(otherSpelling('PRINT', used)).toBe('Print')
  for (const value of ['', 'newsletter', 'news']) expect(otherSpelling(value, used)).toBeUndefined()
})

test('a URL is cut around its parameters, and nothing of it is lost', () => {
  const parts = utmParts(URL)
  expect(parts.map(({ text }) => text).join('')).toBe(URL)
  expect(parts.filter(({ kind }) => kind === 'value').map(({ text }) => text)).toEqual([
    'news%20letter',
    'e+mail',
  ])
  for (const url of ['', 'example.com', '?utm_source', 'https://example.com/?a#utm_source=b'])
    expect(utmParts(url).filter(({ kind }) => kind !== 'rest')).toEqual([])
})

describe('a template', () => {
  const nothing = { source: null, medium: null, campaign: null, term: null, content: null }
  const mail = { ...nothing, name: 'Mail', medium: 'email' }
  const news = { ...nothing, name: 'News', source: 'news', medium: 'email' }

  test('writes its values and leaves the others', () => {
    expect(applyTemplate('https://example.com/?utm_medium=x&utm_term=y', news)).toBe(
      'https://example.com/?utm_medium=email&utm_term=y&utm_source=news',
    )
  })

  test('is recognized by its values, the more exact one first', () => {
    const templates = [{ ...nothing, name: 'Empty' }, mail, news]
    expect(templateOf('https://example.com/?utm_medium=email&utm_source=news&a=1', templates)).toBe(news)
    expect(templateOf('https://example.com/?utm_medium=email', templates)).toBe(mail)
    expect(templateOf('https://example.com/', templates)).toBeUndefined()
  })

  test('is made from a URL, and replaces the one of the same name', () => {
    const made = templateFrom('https://example.com/?utm_source=a%20b', 'mail')
    expect(made).toEqual({ ...nothing, name: 'mail', source: 'a b' })
    expect(withTemplate([mail, news], made)).toEqual([made, news])
    expect(withTemplate([news], made)).toEqual([news, made])
  })

  test('is renamed or deleted, and those that nobody named stay', () => {
    const names = new Map([
      ['Mail', ' Post '],
      ['News', null],
      ['Gone', 'Added elsewhere'],
    ])
    const other = { ...nothing, name: 'Other', term: 'x' }
    expect(changedTemplates([mail, news, other], names)).toEqual([{ ...mail, name: 'Post' }, other])
  })
})
