import { describe, expect, test } from 'bun:test'
import { readUtm, withoutUtm, writeUtm } from './utm.ts'

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

  test('are removed one by one, and all at once', () => {
    expect(writeUtm(URL, 'medium', '')).toBe(
      'https://example.com/a?size=m&utm_source=news%20letter&empty=#top',
    )
    expect(withoutUtm('https://example.com/?utm_source=a&utm_medium=b')).toBe('https://example.com/')
  })
})
