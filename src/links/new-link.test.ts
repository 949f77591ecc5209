import { describe, expect, test } from 'bun:test'
import type { FieldErrors } from '../refusal.ts'
import { Refusal } from '../refusal.ts'
import { Blocks } from './blocks.ts'
import type { DestinationRules } from './destination.ts'
import { bulkField, readNewLink, readNewLinks } from './new-link.ts'

const rules: DestinationRules = {
  ownHosts: new Set(['tern.example']),
  allowPrivate: false,
  blocks: new Blocks(),
}
const URL_SENT = 'HTTPS://Example.com/a'
const good = { original_url: URL_SENT, title: 'A', custom_code: 'abc', is_active: false }

function fieldsOf(read: () => unknown): FieldErrors {
  try {
    read()
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return error.fields
    throw error
  }
  return {}
}

const REQUIRED = {
  original_url: ['The original url field is required.'],
  url: ['The url field is required.'],
}

describe('a new link', () => {
  test('is read with its destination as sent and as the redirect will have it', () => {
    expect(readNewLink(good, rules)).toEqual({
      originalUrl: URL_SENT,
      targetUrl: 'https://example.com/a',
      title: 'A',
      isActive: false,
      customCode: 'abc',
    })
  })

  test('has defaults for what is absent or null', () => {
    const defaults = { title: '', isActive: true, customCode: undefined }
    for (const rest of [{}, { title: null, custom_code: null, is_active: null, url: null }])
      expect(readNewLink({ original_url: URL_SENT, ...rest }, rules)).toMatchObject(defaults)
  })

  test('takes url for original_url, alone or beside an equal one', () => {
    for (const input of [{ url: URL_SENT }, { url: URL_SENT, original_url: URL_SENT }])
      expect(readNewLink(input, rules).originalUrl).toBe(URL_SENT)
  })

  test('has nothing of what it does not know, whatever the name', () => {
    const input = JSON.parse(`{"original_url":"${URL_SENT}","__proto__":{"title":"x"},"id":7,"clickCount":9}`)
    expect(readNewLink(input, rules)).toEqual({
      originalUrl: URL_SENT,
      targetUrl: 'https://example.com/a',
      title: '',
      isActive: true,
      customCode: undefined,
    })
  })

  test('without a destination is refused under both names', () => {
    for (const change of [{ original_url: undefined }, { original_url: null }, { original_url: '' }])
      expect(fieldsOf(() => readNewLink({ ...good, ...change }, rules))).toEqual(REQUIRED)
  })

  test('with a fault is refused under the name that was used', () => {
    const notAUrl = (name: string) => [
      `The ${name} must be a valid URL that starts with http:// or https://.`,
    ]
    expect(fieldsOf(() => readNewLink({ original_url: 'x' }, rules))).toEqual({
      original_url: notAUrl('original url'),
    })
    expect(fieldsOf(() => readNewLink({ url: 'x' }, rules))).toEqual({ url: notAUrl('url') })
  })

  test('is refused with the faults of all fields', () => {
    const bad = { original_url: 1, title: 2, custom_code: 3, is_active: 4 }
    expect(Object.keys(fieldsOf(() => readNewLink(bad, rules)))).toEqual(
      Object.keys(bad).toSorted(byOrderOfReading),
    )
  })
})

const READ = ['original_url', 'title', 'custom_code', 'is_active']
const byOrderOfReading = (a: string, b: string) => READ.indexOf(a) - READ.indexOf(b)

describe('several new links', () => {
  test('are read in their order', () => {
    const links = readNewLinks({ links: [good, { url: URL_SENT }] }, rules)
    expect(links.map(({ customCode }) => customCode)).toEqual(['abc', undefined])
  })

  test('are refused under the names of their fields', () => {
    const links = [good, {}, { ...good, custom_code: 'abc' }, 'x']
    expect(fieldsOf(() => readNewLinks({ links }, rules))).toEqual({
      'links.1.original_url': REQUIRED.original_url,
      'links.1.url': REQUIRED.url,
      'links.2.custom_code': ['The custom code is used twice in this request.'],
      'links.3': ['The links.3 must be an object.'],
    })
    expect(bulkField(7, 'title')).toBe('links.7.title')
  })

  test('must be 1 to 100 in an array', () => {
    const COUNT = { links: ['The links must have between 1 and 100 items.'] }
    const many = (count: number) => Array.from({ length: count }, () => ({ original_url: URL_SENT }))
    expect(readNewLinks({ links: many(100) }, rules)).toHaveLength(100)
    for (const links of [many(0), many(101)])
      expect(fieldsOf(() => readNewLinks({ links }, rules))).toEqual(COUNT)
    for (const links of [undefined, null])
      expect(fieldsOf(() => readNewLinks({ links }, rules))).toEqual({
        links: ['The links field is required.'],
      })
    for (const links of [{}, 'x', 1, true])
      expect(fieldsOf(() => readNewLinks({ links }, rules))).toEqual({
        links: ['The links must be an array.'],
      })
  })
})
