import { describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import { routeFacts } from '../../test/rigs/redirect/route-facts.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { routeOptions, type SomeOptionColumns } from '../links/routes/route-options.ts'
import { decideRoute } from './decide-options.ts'
import type { RouteDecision, RouteFacts } from './decide-route.ts'

describe('a link with options', () => {
  const NOW = 1_000
  const decide = decideFor({})
  const decideForPreview = decideFor({ isPreview: () => true })

  test('starts at its microsecond and ends at its microsecond', () => {
    expect(decide({ starts_at: NOW })).toEqual(to(PLAIN_ROUTE.destination))
    expect(decide({ starts_at: NOW + 1 })).toEqual({ kind: 'scheduled', startsAtUs: NOW + 1 })
    expect(decide({ expires_at: NOW + 1 })).toEqual(to(PLAIN_ROUTE.destination))
    expect(decide({ expires_at: NOW })).toEqual({ kind: 'expired', expiresAtUs: NOW })
  })

  test('leads to its fallback before and after, unless that is blocked', () => {
    const fallback = to(over, { variant: 'fallback', status: 307 })
    for (const when of [{ starts_at: NOW + 1 }, { expires_at: NOW }])
      expect(decide({ ...when, fallback_url: over, redirect_status: 307 })).toEqual(fallback)
    const options = { ...routeOptions({ expires_at: NOW, fallback_url: over })! }
    expect(decide({}, { options: { ...options, blocked: new Set([over]) } })).toEqual({
      kind: 'expired',
      expiresAtUs: NOW,
    })
  })

  test('that is blocked or disabled is that first, and a loop last', () => {
    const scheduled = { starts_at: NOW + 1, fallback_url: over }
    expect(decide(scheduled, { blockedBy: 'operator' })).toEqual({ kind: 'blocked' })
    expect(decide(scheduled, { isActive: false })).toEqual({ kind: 'disabled' })
    expect(decide(scheduled, { blockedBy: 'loop' })).toEqual(to(over, { variant: 'fallback' }))
    expect(decide({ expires_at: NOW + 1 }, { blockedBy: 'loop' })).toEqual({ kind: 'loop' })
  })

  test('with a limit says so, and where to if it is reached', () => {
    const there = to(PLAIN_ROUTE.destination)
    const fallback = { ...there, destination: over, variant: 'fallback' }
    expect<object>(decide({ max_clicks: 1 })).toEqual({ kind: 'limited', to: there, fallback: undefined })
    expect<object>(decide({ max_clicks: 1, fallback_url: over })).toEqual({
      kind: 'limited',
      to: there,
      fallback,
    })
    const blocked = { ...routeOptions({ max_clicks: 1, fallback_url: over })! }
    expect<object>(decide({}, { options: { ...blocked, blocked: new Set([over]) } })).toEqual({
      kind: 'limited',
      to: there,
      fallback: undefined,
    })
    // Only who is led to the destination spends an opening.
    expect<object>(decide({ max_clicks: 1, expires_at: NOW, fallback_url: over })).toEqual(fallback)
  })

  test('whose limit is known to be used up does not ask any visitor for its password', () => {
    const asked: LinkRoute[] = []
    const isExhausted = (route: LinkRoute) => asked.push(route) > 0
    const limited = { max_clicks: 1, password_hash: '$argon2id$', social_title: 'A title' }
    const fallback = to(over, { variant: 'fallback' })
    for (const decided of [
      decideFor({ isExhausted }),
      decideFor({ isExhausted, isPreview: () => true }),
      decideFor({ isExhausted, knowsPassword: () => true }),
    ]) {
      expect(decided(limited)).toEqual({ kind: 'limit_reached' })
      expect(decided({ ...limited, fallback_url: over })).toEqual(fallback)
      expect(decided({ ...limited, expires_at: NOW })).toEqual({ kind: 'expired', expiresAtUs: NOW })
      expect(decided(limited, { isActive: false })).toEqual({ kind: 'disabled' })
    }
    const before = asked.length
    expect(before).toBe(6)
    // Nobody asks about a link without a limit.
    expect(decideFor({ isExhausted })({ password_hash: '$argon2id$' })).toEqual({ kind: 'password' })
    expect(asked).toHaveLength(before)
  })

  test('with a password leads nobody further who does not know it, whatever else it has', () => {
    const columns = { password_hash: '$argon2id$', redirect_status: 307 }
    const password = { kind: 'password' } as const
    expect(decide(columns)).toEqual(password)
    expect(decide(columns, { blockedBy: 'loop' })).toEqual(password)
    expect(decide(columns, { blockedBy: 'operator' })).toEqual({ kind: 'blocked' })
    expect(decide(columns, { isActive: false })).toEqual({ kind: 'disabled' })
    expect(decide({ ...columns, expires_at: NOW })).toEqual({ kind: 'expired', expiresAtUs: NOW })
    expect(decide({ ...columns, starts_at: NOW + 1, fallback_url: over })).toMatchObject({
      variant: 'fallback',
    })
    const options = routeOptions(columns)!
    const asked: unknown[] = []
    const knowsPassword = (link: unknown) => asked.push(link) > 0
    const facts = routeFacts({ nowUs: () => NOW, knowsPassword })
    expect(decideRoute({ ...PLAIN_ROUTE, options }, facts)).toEqual(
      to(PLAIN_ROUTE.destination, { status: 307 }),
    )
    expect(asked).toEqual([{ linkId: PLAIN_ROUTE.linkId, passwordKey: options.passwordKey }])
    // Nobody else is asked for a cookie.
    decideRoute({ ...PLAIN_ROUTE, options: routeOptions({ forward_query: 1 }) }, facts)
    expect(asked).toHaveLength(1)
  })

  test('passes the query on if it says so', () => {
    expect(decide({ forward_query: 1 }, {}, 'a=1')).toEqual(to('https://example.com/?a=1'))
    const destination = 'https://example.com/?a=1'
    expect(decide({ forward_query: 1 }, { destination }, 'a=2')).toEqual(to(destination))
    expect(decide({ forward_query: 2 }, { destination }, 'a=2')).toEqual(to('https://example.com/?a=2'))
    expect(decide({ redirect_status: 301 }, { destination }, 'a=2')).toEqual(to(destination, { status: 301 }))
    const expired = { forward_query: 2, expires_at: NOW, fallback_url: `${over}?a=1` }
    expect(decide(expired, {}, 'a=2')).toEqual(to(`${over}?a=2`, { variant: 'fallback' }))
    expect(decide({ redirect_status: 301 }, {}, 'a=1')).toEqual(to('https://example.com/', { status: 301 }))
  })

  test('passes the path on if it says so, in front of the query, and not to the fallback', () => {
    const withPath = decideFor({ path: '/page', query: 'a=1' })
    const destination = 'https://example.com/x?b'
    expect(withPath({ forward_path: 1 }, { destination })).toEqual(to('https://example.com/x/page?b'))
    expect(withPath({ forward_path: 1, forward_query: 1 }, { destination })).toEqual(
      to('https://example.com/x/page?b&a=1'),
    )
    expect(withPath({ forward_query: 1 }, { destination })).toEqual(to('https://example.com/x?b&a=1'))
    expect(decide({ forward_path: 1 }, { destination })).toEqual(to(destination))
    const expired = { forward_path: 1, expires_at: NOW, fallback_url: over }
    expect(withPath(expired)).toEqual(to(over, { variant: 'fallback' }))
    const blocked = { ...routeOptions({ forward_path: 1 })!, blocked: new Set([destination]) }
    expect(withPath({}, { destination, options: blocked })).toEqual({ kind: 'blocked' })
  })

  test('has a card for previews where it would lead to its destination', () => {
    const card = { title: 'A title', description: null, imageUrl: null }
    const hasCard = { social_title: 'A title' }
    expect(decide(hasCard)).toEqual(to(PLAIN_ROUTE.destination))
    expect(decideForPreview(hasCard)).toEqual({ kind: 'card', card })
    expect(decideForPreview({ ...hasCard, password_hash: 'hash' })).toEqual({ kind: 'card', card })
    const early = { ...hasCard, starts_at: NOW + 1 }
    expect(decideForPreview(early)).toEqual({ kind: 'scheduled', startsAtUs: NOW + 1 })
    expect(decideForPreview({ ...hasCard, expires_at: NOW, fallback_url: over })).toEqual(
      to(over, { variant: 'fallback' }),
    )
    expect(decideForPreview(hasCard, { isActive: false })).toEqual({ kind: 'disabled' })
    expect(decideForPreview(hasCard, { blockedBy: 'operator' })).toEqual({ kind: 'blocked' })
    expect(decideForPreview(hasCard, { blockedBy: 'loop' })).toEqual({ kind: 'loop' })
  })

  test('has a card for previews without anything of its own if it hides where it leads', () => {
    const card = { kind: 'card', card: { title: null, description: null, imageUrl: null } } as const
    for (const hides of [{ password_hash: 'hash' }, { max_clicks: 1 }, { max_clicks: 1, password_hash: 'h' }])
      expect(decideForPreview(hides)).toEqual(card)
    expect(decideForPreview({ max_clicks: 1, expires_at: NOW })).toMatchObject({ kind: 'expired' })
    for (const shows of [{ forward_query: 1 }, { expires_at: NOW + 1 }])
      expect(decideForPreview(shows)).toMatchObject({ kind: 'redirect' })
  })

  function decideFor(known: Partial<RouteFacts>) {
    return (columns: SomeOptionColumns, change: Partial<LinkRoute> = {}, query = '') =>
      decideRoute(
        { ...PLAIN_ROUTE, options: routeOptions(columns), ...change },
        routeFacts({ nowUs: () => NOW, query, ...known }),
      )
  }

  const to = (destination: string, others: object = {}) =>
    ({ kind: 'redirect', destination, status: 302, variant: '', ...others }) as RouteDecision

  const over = 'https://example.com/over'
})
