import { noOtherDomains } from '../../test/rigs/redirect/no-other-domains.ts'
import { describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import type { Click } from '../clicks/journal/click.ts'
import { manualClock } from '../runtime/clock.ts'
import { asResponse } from './visit-response.ts'
import { MinuteLimit } from '../limits/minute-limit.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { routeOptions } from '../links/routes/route-options.ts'
import { openLink, type OpenLinkDeps } from './open-link.ts'
import { defaultKey } from '../links/link-key.ts'

const MISSES_MAX = 2
const VISITOR = 4711
const LINKS = new Map<string, LinkRoute>([
  ['hello', PLAIN_ROUTE],
  ['asleep', { ...PLAIN_ROUTE, code: 'asleep', isActive: false }],
  ['blocked', { ...PLAIN_ROUTE, code: 'blocked', blockedBy: 'operator' }],
  ['circle', { ...PLAIN_ROUTE, code: 'circle', blockedBy: 'loop' }],
])

function openRig(
  append: (click: Click) => Promise<void> = async () => {},
  links: OpenLinkDeps['links'] = { get: ({ code }) => LINKS.get(code) },
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
    openings: { open: async () => undefined, isExhausted: () => false, checkExhausted: async () => false },
    clock: manualClock(0),
    domains: noOtherDomains('https://s.example.com'),
    misses: new MinuteLimit(manualClock(0), MISSES_MAX),
  }
  const open = async (code: string, headers: Record<string, string> = {}, method = 'GET') => {
    const sent = new Headers(headers)
    return asResponse(
      await openLink(deps, {
        method,
        host: 's.example.com',
        ...defaultKey(code),
        query: '',
        ip: '203.0.113.7',
        header: (name) => sent.get(name),
      }),
    )
  }
  return { open, clicks }
}

test('a visitor is redirected, and the click has all that is known', async () => {
  const { open, clicks } = openRig()
  const { status, headers } = await open('hello', {
    'User-Agent': 'curl/8.5.0',
    Referer: 'https://news.example.org/a?b',
  })
  expect([status, headers.get('location')]).toEqual([302, 'https://example.com/'])
  expect(clicks).toEqual([
    {
      linkId: 7,
      workspaceId: 3,
      clickedAtUs: 0,
      visitor: VISITOR,
      country: 'DE',
      userAgent: 'curl/8.5.0',
      referrer: 'news.example.org',
    },
  ])
})

test('the click is safe before the visitor is redirected', async () => {
  const safe = Promise.withResolvers<void>()
  const { open } = openRig(() => safe.promise)
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

test('if the click cannot be made safe, the visitor is asked to try again', async () => {
  const { open, clicks } = openRig(() => Promise.reject(new Error('The disk is full.')))
  const { status, headers } = await open('hello')
  expect([status, headers.get('location'), headers.get('retry-after')]).toEqual([503, null, '1'])
  expect(clicks).toEqual([])
})

test('HEAD and a prefetch are redirected without a click', async () => {
  const { open, clicks } = openRig()
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

test('a visitor who does not want to be tracked gets no visitor hash', async () => {
  const { open, clicks } = openRig()
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

test('any other visitor gets one', async () => {
  const { open, clicks } = openRig()
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

test('a long User-Agent is cut', async () => {
  const { open, clicks } = openRig()
  await open('hello', { 'User-Agent': 'x'.repeat(10_000) })
  expect(clicks[0]!.userAgent).toBe('x'.repeat(512))
})

test('a disabled or unknown link does not redirect and has no click', async () => {
  const { open, clicks } = openRig()
  for (const code of ['asleep', 'nobody']) {
    const { status, headers } = await open(code)
    expect([status, headers.get('location')]).toEqual([404, null])
  }
  expect(clicks).toEqual([])
})

test('a client that guesses too often has to wait, but can open links that exist', async () => {
  const { open } = openRig()
  for (let i = 0; i < MISSES_MAX; i++) expect((await open('nobody')).status).toBe(404)
  expect((await open('nobody')).status).toBe(429)
  for (let i = 0; i < 5; i++) expect((await open('asleep')).status).toBe(404)
  expect((await open('hello')).status).toBe(302)
})

test('another method is refused without a lookup', async () => {
  const { open, clicks } = openRig()
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    expect((await open('hello', {}, method)).status).toBe(405)
    expect((await open('nobody', {}, method)).status).toBe(405)
  }
  expect(clicks).toEqual([])
})

test('a preview of a link with a card gets the card, a browser its destination', async () => {
  const options = routeOptions({ social_title: 'Ours' })
  const { open, clicks } = openRig(undefined, { get: () => ({ ...PLAIN_ROUTE, options }) })
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await open('hello', { 'User-Agent': 'Twitterbot/1.0' }, method)
    expect([status, headers.get('location'), headers.get('x-robots-tag')]).toEqual([200, null, 'noindex'])
  }
  expect(clicks).toEqual([])
  expect((await open('hello', { 'User-Agent': 'Mozilla/5.0 Firefox/145.0' })).status).toBe(302)
  expect(clicks).toHaveLength(1)
})

test('a preview of a link without a card is redirected', async () => {
  const { open, clicks } = openRig()
  expect((await open('hello', { 'User-Agent': 'Twitterbot/1.0' })).status).toBe(302)
  expect(clicks).toHaveLength(1)
})

describe('a link that is read from another server', () => {
  const openRigWith = (get: OpenLinkDeps['links']['get']) => openRig(undefined, { get })

  test('opens, is unknown, or is disabled, as any other link', async () => {
    const { open, clicks } = openRigWith(async ({ code }) => LINKS.get(code))
    const statuses = ['hello', 'asleep', 'blocked', 'nobody'].map(async (code) => (await open(code)).status)
    expect(await Promise.all(statuses)).toEqual([302, 404, 410, 404])
    expect(clicks.map(({ linkId }) => linkId)).toEqual([7])
    expect((await open('hello', {}, 'HEAD')).status).toBe(302)
    expect(clicks).toHaveLength(1)
  })

  test('cannot be opened while the server is unavailable, and has no click', async () => {
    const { open, clicks } = openRigWith(() =>
      Promise.reject(new StoreUnavailable('The database is unavailable.')),
    )
    // Not limited, because the link may well exist.
    for (let time = 0; time <= MISSES_MAX; time++) {
      const response = await open('hello')
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
      expect(response.headers.get('cache-control')).toContain('no-store')
      expect(await response.json()).toEqual({
        success: false,
        code: 'store_unavailable',
        message: 'This link cannot be looked up at the moment. Try again in a few seconds.',
        errors: {},
      })
    }
    expect(clicks).toEqual([])
  })

  test('throws an unexpected error at the caller', async () => {
    const { open, clicks } = openRigWith(() => Promise.reject(new Error('No such table.')))
    await expect(open('hello')).rejects.toThrow('No such table.')
    expect(clicks).toEqual([])
  })
})
