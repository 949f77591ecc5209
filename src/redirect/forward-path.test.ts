import { expect, test } from 'bun:test'
import { forwardPath } from './forward-path.ts'

test.each([
  ['none', 'https://example.com/a?b#c', '', 'https://example.com/a?b#c'],
  ['one', 'https://example.com/a', '/page/2', 'https://example.com/a/page/2'],
  ['one behind a slash', 'https://example.com/a/', '/page/2', 'https://example.com/a/page/2'],
  ['one behind a bare host', 'https://example.com/', '/page', 'https://example.com/page'],
  ['one with a slash at its end', 'https://example.com/a', '/page/', 'https://example.com/a/page/'],
  ['one before the query', 'https://example.com/a?b=/c', '/page', 'https://example.com/a/page?b=/c'],
  ['one before the fragment', 'https://example.com/a#b?c/', '/page', 'https://example.com/a/page#b?c/'],
  ['encoded slashes as they are', 'https://example.com/a', '/b%2Fc%2fd', 'https://example.com/a/b%2Fc%2fd'],
  ['several slashes as they are', 'https://example.com/', '//evil.com', 'https://example.com//evil.com'],
  ['what looks like user names', 'https://example.com/', '/@evil.com', 'https://example.com/@evil.com'],
  ['what looks like a port', 'https://example.com/', '/:80@evil.com', 'https://example.com/:80@evil.com'],
  ['nothing to a number', 'tel:+1', '/page', 'tel:+1'],
  ['nothing to an app', 'shop://item', '/page', 'shop://item'],
  [
    'none that is too long for a proxy',
    'https://example.com/',
    `/${'1'.repeat(8192)}`,
    'https://example.com/',
  ],
])('adds %s', (_, destination, path, expected) => {
  const url = forwardPath(destination, path)
  expect(url).toBe(expected)
  expect(new URL(url).origin).toBe(new URL(destination).origin)
})
