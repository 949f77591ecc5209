import { expect, test } from 'bun:test'
import { parseUrl } from './parse-url.ts'

/** Nothing of it is left in the host: whether it is refused shows what was measured. */
const ignored = (length: number) => '\u00ad'.repeat(length)

test('a URL is parsed as the runtime does', () => {
  const url = parseUrl('HTTPS://Ex%61mple.com:443/a?b#c')
  expect(url?.href).toBe('https://example.com/a?b#c')
  expect(parseUrl(`https://example.com/${'a'.repeat(20_000)}?${ignored(5_000)}`)?.host).toBe('example.com')
})

test.each([
  '',
  'example.com',
  'https://',
  'https://exa mple.com',
  '\thttps://example.com',
  'https:\\\\example.com',
])('%p is none', (text) => {
  expect(parseUrl(text)).toBeNull()
})

test.each(['http://', 'https:', 'HTTPS:/', 'https:////', 'ws://', 'ftp://', 'file://'])(
  'after %s so much of a host is parsed and no more, since the parser takes time with the square of its length',
  (start) => {
    const hosts = [1_024, 1_025].map((length) => `${ignored(length - 11)}example.com`)
    expect(hosts.map((host) => parseUrl(`${start}${host}/a`)?.hostname)).toEqual(['example.com', undefined])
  },
)

test.each(['', '/', '?', '#'])('a host that ends with %p is measured up to there', (end) => {
  expect(parseUrl(`https://${ignored(1_013)}example.com${end}`)?.hostname).toBe('example.com')
  expect(parseUrl(`https://${ignored(1_014)}example.com${end}`)).toBeNull()
})

test('a user name, password and port belong to what is measured', () => {
  expect(parseUrl(`https://${'a'.repeat(2_000)}@example.com`)).toBeNull()
  expect(parseUrl(`https://a:${'b'.repeat(2_000)}@example.com`)).toBeNull()
  expect(parseUrl(`https://example.com:${'0'.repeat(2_000)}80`)).toBeNull()
})
