import { expect, test } from 'bun:test'
import { cardResponse } from './card-page.ts'

const SHORT_URL = 'https://s.example.com/hello'
const EMPTY = { title: null, description: null, imageUrl: null }

test('a card has what its owner has given', async () => {
  const card = { title: 'A title', description: 'A text', imageUrl: 'https://example.com/a.png' }
  const { status, location, headers, body } = cardResponse(card, SHORT_URL)
  expect([status, location, headers['Content-Type']]).toEqual([200, undefined, 'text/html; charset=utf-8'])
  expect(await tagsOf(body)).toEqual({
    robots: 'noindex',
    description: 'A text',
    'og:type': 'website',
    'og:url': SHORT_URL,
    'og:title': 'A title',
    'og:description': 'A text',
    'og:image': 'https://example.com/a.png',
    'twitter:card': 'summary_large_image',
    'twitter:title': 'A title',
    'twitter:description': 'A text',
    'twitter:image': 'https://example.com/a.png',
  })
})

test('without a title, its title is the short URL', async () => {
  const { body } = cardResponse({ ...EMPTY, description: 'A text' }, SHORT_URL)
  expect(await tagsOf(body)).toEqual({
    robots: 'noindex',
    description: 'A text',
    'og:type': 'website',
    'og:url': SHORT_URL,
    'og:title': 's.example.com/hello',
    'og:description': 'A text',
    'twitter:card': 'summary',
    'twitter:title': 's.example.com/hello',
    'twitter:description': 'A text',
  })
})

test('everything in a card is escaped, and nothing in it runs or leads anywhere', () => {
  const hostile = '"><script>alert(1)</script><meta http-equiv="refresh" content="0;url=//evil.example">'
  const { body } = cardResponse({ title: hostile, description: hostile, imageUrl: hostile }, SHORT_URL)
  expect(body).not.toMatch(/<script|http-equiv="|<a |<link|<img|<style/)
})

/** By name or property, as a fetcher reads them. */
async function tagsOf(page: string): Promise<Record<string, string>> {
  const tags: Record<string, string> = {}
  const rewriter = new HTMLRewriter().on('meta[content]', {
    element: (meta) => {
      tags[meta.getAttribute('property') ?? meta.getAttribute('name') ?? ''] = meta.getAttribute('content')!
    },
  })
  await rewriter.transform(new Response(page)).text()
  return tags
}
