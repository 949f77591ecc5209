import { describe, expect, test } from 'bun:test'
import { asResponse, type VisitResponse } from './visit-response.ts'
import * as answers from './notices.ts'
import { defaultKey } from '../links/link-key.ts'
import { redirectTo } from './open-link.ts'
import type { Visit } from './visit.ts'

test('a redirect is a 302 that is not cached, without a body', async () => {
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

test('a redirect has nothing of the one before it', () => {
  const [first, second] = ['https://example.com/first', 'https://example.com/second'].map(notices.redirectTo)
  first!.headers.set('X-Private', 'first')
  expect(first!.headers.get('location')).toBe('https://example.com/first')
  expect([second!.headers.get('location'), second!.headers.get('x-private')]).toEqual([
    'https://example.com/second',
    null,
  ])
  expect(notices.redirectTo('https://example.com/third').headers.get('x-private')).toBeNull()
})

test('a browser that may try again gets a page with a link to the URL it asked for', async () => {
  const shown = visit('text/html')
  const again: [VisitResponse, VisitResponse['status'], string | undefined, string, string][] = [
    [
      answers.fromOtherSite(shown),
      403,
      undefined,
      'The password was not checked',
      'Open the link, and enter it there.',
    ],
    [answers.journalDown(shown), 503, '1', 'This link cannot be opened right now', 'Try again in a second.'],
    [
      answers.storeDown(shown),
      503,
      '5',
      'This link cannot be opened right now',
      'Try again in a few seconds.',
    ],
    [answers.unavailable(shown, BUSY), 503, '7', 'This link cannot be opened right now', 'Very busy.'],
  ]
  for (const [response, status, retryAfter, title, sentence] of again) {
    expect([response.status, response.headers['Content-Type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(response.body).toContain(`<h1>${title}</h1>`)
    expect(response.body).toContain(sentence)
    expect(response.body).toContain('href="" rel="nofollow">Try again</a>')
    expect(response.headers['Retry-After']).toBe(retryAfter)
  }
})

/** As responses, whose parts can be read. */
const notices = {
  redirectTo: (destination: string) => asResponse(redirectTo({ destination, status: 302 })),
  unknownLink: (visit: Visit) => asResponse(answers.unknownLink(visit)),
  blockedLink: (visit: Visit) => asResponse(answers.blockedLink(visit)),
  disabledLink: (visit: Visit) => asResponse(answers.disabledLink(visit)),
  tooManyMisses: (visit: Visit, seconds: number) => asResponse(answers.tooManyMisses(visit, seconds)),
  methodNotAllowed: () => asResponse(answers.methodNotAllowed()),
  journalDown: () => asResponse(answers.journalDown(visit())),
}

const BUSY = { code: 'server_busy', message: 'Very busy.', retryAfterSeconds: 7 } as const

const ALL: [string, number, () => Response][] = [
  ['an unknown link', 404, () => notices.unknownLink(visit())],
  ['a disabled link', 404, () => notices.disabledLink(visit())],
  ['a link that leads in a circle', 404, () => asResponse(answers.loopLink(visit()))],
  ['a link that is blocked', 410, () => notices.blockedLink(visit())],
  ['a link with a password', 403, () => asResponse(answers.passwordNeeded(visit()))],
  ['a wrong password', 403, () => asResponse(answers.wrongPassword(visit(), 3))],
  ['too many passwords', 429, () => asResponse(answers.tooManyPasswords(visit(), 600))],
  ['too many tries', 429, () => notices.tooManyMisses(visit(), 17)],
  ['another method', 405, notices.methodNotAllowed],
  ['a form of another site', 403, () => asResponse(answers.fromOtherSite(visit()))],
  ['a journal that is down', 503, notices.journalDown],
  ['a store that is down', 503, () => asResponse(answers.storeDown(visit()))],
  ['a queue that is full', 503, () => asResponse(answers.unavailable(visit(), BUSY))],
]

describe.each(ALL)('%s', (_, status, answer) => {
  test('is JSON, with headers against caching and against running it', async () => {
    const response = answer()
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      success: false,
      code: expect.any(String),
      message: expect.any(String),
      errors: {},
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })
})

function visit(accept?: string): Visit {
  return {
    method: 'GET',
    host: 's.example.com',
    ...defaultKey('hello'),
    query: '',
    ip: '203.0.113.7',
    header: (name) => (name === 'accept' && accept !== undefined ? accept : null),
  }
}
