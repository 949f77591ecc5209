import { describe, expect, test } from 'bun:test'
import { asResponse } from './answer.ts'
import * as answers from './notices.ts'
import type { Visit } from './open-link.ts'

/** The answers as responses, which can be asked for their parts. */
const notices = {
  redirectTo: (href: string) => asResponse(answers.redirectTo(href)),
  unknownLink: (visit: Visit) => asResponse(answers.unknownLink(visit)),
  blockedLink: (visit: Visit) => asResponse(answers.blockedLink(visit)),
  switchedOff: (visit: Visit) => asResponse(answers.switchedOff(visit)),
  tooManyMisses: (visit: Visit, seconds: number) => asResponse(answers.tooManyMisses(visit, seconds)),
  methodNotAllowed: () => asResponse(answers.methodNotAllowed()),
  journalDown: () => asResponse(answers.journalDown()),
}

const visit = (accept?: string): Visit => ({
  method: 'GET',
  header: (name) => (name === 'accept' && accept !== undefined ? accept : null),
  code: 'hello',
  ip: '203.0.113.7',
})

const ALL: [string, number, () => Response][] = [
  ['an unknown link', 404, () => notices.unknownLink(visit())],
  ['a link that is switched off', 404, () => notices.switchedOff(visit())],
  ['a link that is blocked', 410, () => notices.blockedLink(visit())],
  ['too many tries', 429, () => notices.tooManyMisses(visit(), 17)],
  ['another method', 405, notices.methodNotAllowed],
  ['a journal that is down', 503, notices.journalDown],
]

describe.each(ALL)('%s', (_, status, answer) => {
  test('is told in the envelope, and by headers that let nobody keep or run it', async () => {
    const response = answer()
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ success: false, message: expect.any(String), errors: {} })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })
})

test('a redirect is a 302 that nobody keeps, without a body', async () => {
  const response = notices.redirectTo('https://example.com/a?b#c')
  expect(response.status).toBe(302)
  expect(Object.fromEntries(response.headers)).toEqual({
    location: 'https://example.com/a?b#c',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  expect(await response.text()).toBe('')
})

test('a redirect knows nothing of the one before it', () => {
  const [first, second] = ['https://example.com/first', 'https://example.com/second'].map(notices.redirectTo)
  first!.headers.set('X-Private', 'first')
  expect(first!.headers.get('location')).toBe('https://example.com/first')
  expect([second!.headers.get('location'), second!.headers.get('x-private')]).toEqual([
    'https://example.com/second',
    null,
  ])
  expect(notices.redirectTo('https://example.com/third').headers.get('x-private')).toBeNull()
})

test('whoever takes HTML gets a page with the code in it', async () => {
  for (const make of [notices.unknownLink, notices.switchedOff]) {
    const response = make(visit('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'))
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'none'; frame-ancestors 'none'",
    )
    expect(await response.text()).toContain('/hello</code>')
  }
})

test('other types of content get the envelope', async () => {
  for (const accept of ['*/*', 'application/json', 'text/plain']) {
    expect(await notices.unknownLink(visit(accept)).json()).toMatchObject({ success: false })
  }
})

test('who has to wait is told how long', () => {
  expect(notices.tooManyMisses(visit('text/html'), 17).headers.get('retry-after')).toBe('17')
  expect(notices.journalDown().headers.get('retry-after')).toBe('1')
})

test('who came by another method is told which there are', () => {
  expect(notices.methodNotAllowed().headers.get('allow')).toBe('GET, HEAD')
})
