import { noOtherDomains } from '../../test/rigs/redirect/no-other-domains.ts'
import { describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import type { Click } from '../clicks/journal/click.ts'
import { manualClock } from '../runtime/clock.ts'
import { asResponse } from './visit-response.ts'
import { MinuteLimit } from '../limits/minute-limit.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
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

test('a long User-Agent is cut', async () => {
  const { open, clicks } = openRig()
  await open('hello', { 'User-Agent': 'x'.repeat(10_000) })
  expect(clicks[0]!.userAgent).toBe('x'.repeat(512))
})

test('a client that guesses too often has to wait, but can open links that exist', async () => {
  const { open } = openRig()
  for (let i = 0; i < MISSES_MAX; i++) expect((await open('nobody')).status).toBe(404)
  expect((await open('nobody')).status).toBe(429)
  for (let i = 0; i < 5; i++) expect((await open('asleep')).status).toBe(404)
  expect((await open('hello')).status).toBe(302)
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
    geo: { locate: () => ({ country: 'DE', city: undefined }) },
    openings: { open: async () => undefined, isExhausted: () => false, checkExhausted: async () => false },
    clock: manualClock(0),
    domains: noOtherDomains('https://s.example.com'),
    ownTraffic: { byWorkspace: new Map() },
    utmWorkspaces: { ids: new Set() },
    misses: new MinuteLimit(manualClock(0), MISSES_MAX),
    notFound: { note: () => {} },
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
