import { expect, test } from 'bun:test'
import { KNOWN_SOURCES } from './known-sources.ts'
import { sourceNamed, sourceOf } from './source-of.ts'

test.each([
  ['l.facebook.com', 'Facebook'],
  ['m.facebook.com', 'Facebook'],
  ['lm.facebook.com', 'Facebook'],
  ['www.google.com', 'Google'],
  ['google.de', 'Google'],
  ['www.google.co.uk', 'Google'],
  ['google.com.br.', 'Google'],
  ['images.google.com', 'Google'],
  ['mail.google.com', 'Gmail'],
  ['com.google.android.gm', 'Gmail'],
  ['news.google.com', 'Google News'],
  ['t.co', 'X'],
  ['old.reddit.com', 'Reddit'],
  // Others may have such names in theirs.
  ['notfacebook.com', 'notfacebook.com'],
  ['facebook.com.example.org', 'facebook.com.example.org'],
  ['google.example.org', 'google.example.org'],
  ['google.internal', 'google.internal'],
  // Where nothing is known, a site is one.
  ['www.example.org', 'example.org'],
  ['example.org.', 'example.org'],
  ['blog.example.org', 'blog.example.org'],
  ['localhost', 'localhost'],
  ['[::1]', '[::1]'],
  ['', ''],
])('%s is %p', (host, source) => expect(sourceOf(host)).toBe(source))

test.each([
  ['facebook', 'Facebook'],
  ['GOOGLE NEWS', 'Google News'],
  ['WWW.Example.org', 'example.org'],
  ['l.facebook.com', 'Facebook'],
])('%s means %p', (text, source) => expect(sourceNamed(text)).toBe(source))

test('no domain stands for two sources, and none is shadowed by another', () => {
  const all = Object.entries(KNOWN_SOURCES).flatMap(([name, domains]) =>
    domains.split(/\s+/).map((domain) => [domain, name] as const),
  )
  expect(all.length).toBe(new Set(all.map(([domain]) => domain)).size)
  for (const [domain, name] of all)
    expect([domain, sourceOf(domain.replace('.*', '.com'))]).toEqual([domain, name])
})
