import { expect, test } from 'bun:test'
import { Refusal } from '../../errors/refusal.ts'
import { matcherOf, refuseBadEncoding, routeOf } from './paths.ts'

test('a path of the specification becomes a route', () => {
  expect(routeOf('/api/links')).toBe('/api/links')
  expect(routeOf('/api/links/{short_code}/toggle')).toBe('/api/links/:short_code/toggle')
})

test('a path matches whatever its parameter is, and nothing longer or shorter', () => {
  const matcher = matcherOf('/api/links/{short_code}')
  for (const path of ['/api/links/a', '/api/links/a.b', '/api/links/%2F'])
    expect(matcher.test(path)).toBe(true)
  for (const path of [
    '/api/links',
    '/api/links/',
    '/api/links/a/b',
    '/x/api/links/a',
    '/api/links/a/',
    '/API/links/a',
  ]) {
    expect(matcher.test(path)).toBe(false)
  }
})

test('a dot in a path is only a dot', () => {
  expect(matcherOf('/api/openapi.json').test('/api/openapi.json')).toBe(true)
  expect(matcherOf('/api/openapi.json').test('/api/openapiXjson')).toBe(false)
})

test('percent-encoded UTF-8 is accepted', () => {
  for (const target of ['/', '/a?b=%20', '/%F0%9F%90%A6', '/a?b=%00', '/a#%00', '/a%2Fb', '/é'])
    refuseBadEncoding(target)
})

test('a path with a NUL is not found', () => {
  for (const target of ['/%00', '/a%00b', '/a%00?b=c'])
    expect(() => refuseBadEncoding(target)).toThrow('Not found.')
})

test('anything else is refused as malformed, in path and query', () => {
  for (const bad of ['%', '%z', '%zz', '%f', '%ff', '%c0%ae', '%ED%A0%80', '%F4%90%80%80', '%E2%82']) {
    for (const target of [`/${bad}`, `/a?b=${bad}`]) {
      expect(() => refuseBadEncoding(target)).toThrow(Refusal)
      expect(() => refuseBadEncoding(target)).toThrow('The URL is not percent-encoded correctly.')
    }
  }
})
