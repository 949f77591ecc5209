import { describe, expect, test } from 'bun:test'
import type { Click } from '../clicks/click.ts'
import { manualClock } from '../clock.ts'
import { asResponse } from './answer.ts'
import { MinuteLimit } from './minute-limit.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { openLink, type OpenLinkDeps } from './open-link.ts'

const MISSES_MAX = 2
const VISITOR = 4711
const LINKS = new Map([
  [
    'hello',
    { code: 'hello', linkId: 7, accountId: 3, href: 'https://example.com/', isOpen: true, isBlocked: false },
  ],
  [
    'asleep',
    {
      code: 'asleep',
      linkId: 8,
      accountId: 3,
      href: 'https://example.com/',
      isOpen: false,
      isBlocked: false,
    },
  ],
  [
    'blocked',
    {
      code: 'blocked',
      linkId: 9,
      accountId: 3,
      href: 'https://example.com/',
      isOpen: false,
      isBlocked: true,
    },
  ],
])

function door(
  append: (click: Click) => Promise<void> = async () => {},
  links: OpenLinkDeps['links'] = LINKS,
) {
  const clicks: Click[] = []
  const deps: OpenLinkDeps = {
    links,
    journal: {
      async append(click) {
        await append(click)
        clicks.push(click)
      },
    },
    visitors: { of: () => VISITOR },
    countries: { countryOf: () => 'DE' },
    misses: new MinuteLimit(manualClock(0), MISSES_MAX),
  }
  const open = async (code: string, headers: Record<string, string> = {}, method = 'GET') => {
    const sent = new Headers(headers)
    return asResponse(
      await openLink(deps, { method, header: (name) => sent.get(name), code, ip: '203.0.113.7' }),
    )
  }
  return { open, clicks }
}

test('a visitor of an open link is sent on, and the click has all that is known', async () => {
  const { open, clicks } = door()
  const { status, headers } = await open('hello', {
    'User-Agent': 'curl/8.5.0',
    Referer: 'https://news.example.org/a?b',
  })
  expect([status, headers.get('location')]).toEqual([302, 'https://example.com/'])
  expect(clicks).toEqual([
    {
      linkId: 7,
      accountId: 3,
      clickedAtUs: 0,
      visitor: VISITOR,
      country: 'DE',
      userAgent: 'curl/8.5.0',
      referrer: 'news.example.org',
    },
  ])
})

test('the click is safe before the visitor is sent on', async () => {
  const safe = Promise.withResolvers<void>()
  const { open } = door(() => safe.promise)
  let isAnswered = false
  const answer = open('hello').then((response) => {
    isAnswered = true
    return response
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isAnswered).toBe(false)
  safe.resolve()
  expect((await answer).status).toBe(302)
})

test('when it cannot be made safe the visitor is asked to come again', async () => {
  const { open, clicks } = door(() => Promise.reject(new Error('The disk is full.')))
  const { status, headers } = await open('hello')
  expect([status, headers.get('location'), headers.get('retry-after')]).toEqual([503, null, '1'])
  expect(clicks).toEqual([])
})

test('HEAD and a page fetched in case are sent on without a click', async () => {
  const { open, clicks } = door()
  const purposes = [
    { 'Sec-Purpose': 'prefetch' },
    { 'Sec-Purpose': 'Prefetch;prerender' },
    { Purpose: 'prefetch' },
    { 'X-Moz': 'prefetch' },
  ]
  for (const headers of purposes)
    expect((await open('hello', headers as Record<string, string>)).status).toBe(302)
  expect((await open('hello', {}, 'HEAD')).status).toBe(302)
  expect(clicks).toEqual([])
})

test('who asks not to be told apart is not', async () => {
  const { open, clicks } = door()
  const asks = [
    { 'Sec-GPC': '1' },
    { DNT: '1' },
    { 'Sec-GPC': '0, 1' },
    { 'Sec-GPC': '1, 1' },
    { 'Sec-GPC': '0', DNT: '1' },
  ]
  for (const headers of asks) await open('hello', headers as Record<string, string>)
  expect(clicks.map(({ visitor }) => visitor)).toEqual(asks.map(() => 0))
})

test('who does not ask, is', async () => {
  const { open, clicks } = door()
  const others = [
    {},
    { 'Sec-GPC': '0' },
    { 'Sec-GPC': '10' },
    { 'Sec-GPC': 'true' },
    { DNT: 'null' },
    { DNT: '' },
  ]
  for (const headers of others) await open('hello', headers as Record<string, string>)
  expect(clicks.map(({ visitor }) => visitor)).toEqual(others.map(() => VISITOR))
})

test('of a long name of a program the beginning is kept', async () => {
  const { open, clicks } = door()
  await open('hello', { 'User-Agent': 'x'.repeat(10_000) })
  expect(clicks[0]!.userAgent).toBe('x'.repeat(512))
})

test('a link that is switched off, or that there is not, leads nowhere and has no click', async () => {
  const { open, clicks } = door()
  for (const code of ['asleep', 'nobody']) {
    const { status, headers } = await open(code)
    expect([status, headers.get('location')]).toEqual([404, null])
  }
  expect(clicks).toEqual([])
})

test('who guesses too often has to wait, and links that exist still open', async () => {
  const { open } = door()
  for (let i = 0; i < MISSES_MAX; i++) expect((await open('nobody')).status).toBe(404)
  expect((await open('nobody')).status).toBe(429)
  for (let i = 0; i < 5; i++) expect((await open('asleep')).status).toBe(404)
  expect((await open('hello')).status).toBe(302)
})

test('another method is refused, without a look at the code', async () => {
  const { open, clicks } = door()
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    expect((await open('hello', {}, method)).status).toBe(405)
    expect((await open('nobody', {}, method)).status).toBe(405)
  }
  expect(clicks).toEqual([])
})

describe('a link that has to be read elsewhere', () => {
  const doorTo = (get: OpenLinkDeps['links']['get']) => door(undefined, { get })

  test('opens, or is missing, or is off, as one that is at hand', async () => {
    const { open, clicks } = doorTo(async (code) => LINKS.get(code))
    const statuses = ['hello', 'asleep', 'blocked', 'nobody'].map(async (code) => (await open(code)).status)
    expect(await Promise.all(statuses)).toEqual([302, 404, 410, 404])
    expect(clicks.map(({ linkId }) => linkId)).toEqual([7])
    expect((await open('hello', {}, 'HEAD')).status).toBe(302)
    expect(clicks).toHaveLength(1)
  })

  test('has the visitor asked to come again while that cannot be done, and no click', async () => {
    const { open, clicks } = doorTo(() =>
      Promise.reject(new StoreUnavailable('The database is unavailable.')),
    )
    // As often as they like: it may well be there.
    for (let time = 0; time <= MISSES_MAX; time++) {
      const response = await open('hello')
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
      expect(response.headers.get('cache-control')).toContain('no-store')
      expect(await response.json()).toEqual({
        success: false,
        message: 'This link cannot be looked up at the moment. Try again in a few seconds.',
        errors: {},
      })
    }
    expect(clicks).toEqual([])
  })

  test('that cannot be read for a fault of ours is for the caller to answer', async () => {
    const { open, clicks } = doorTo(() => Promise.reject(new Error('No such table.')))
    await expect(open('hello')).rejects.toThrow('No such table.')
    expect(clicks).toEqual([])
  })
})
