import { expect, test } from 'bun:test'
import { noOtherDomains } from '../../test/rigs/redirect/no-other-domains.ts'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import { MinuteLimit } from '../limits/minute-limit.ts'
import { defaultKey } from '../links/link-key.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { routeOptions } from '../links/routes/route-options.ts'
import { manualClock } from '../runtime/clock.ts'
import type { OpenLinkDeps } from './open-link.ts'
import { openAtHand, openFirst } from './open-visits.ts'

const MISSES_MAX = 2

test('a link that opens with a path is redirected and counted, at hand or not', async () => {
  const { deps, visit, clicks } = pathRig(async () => OPENS)
  expect(openAtHand(deps, [visit()])).toBeUndefined()
  expect(clicks).toEqual([])
  expect(await openFirst(deps, [visit()])).toMatchObject({
    status: 302,
    location: 'https://example.com/page',
  })
  expect(clicks).toEqual([7])
  const atHand = pathRig(() => OPENS)
  for (const open of [openAtHand, openFirst])
    expect(await open(atHand.deps, [visit()])).toMatchObject({ location: 'https://example.com/page' })
  expect(atHand.clicks).toEqual([7, 7])
})

test.each<[string, LinkRoute | undefined]>([
  ['there is no link', undefined],
  ['the link is plain', PLAIN_ROUTE],
  ['the link has other options', { ...PLAIN_ROUTE, options: routeOptions({ forward_query: 1 }) }],
])('where %s, it is no short URL and a miss, which only the API server counts', async (_, route) => {
  const { deps, visit, clicks } = pathRig(() => route)
  for (let n = 0; n < 2 * MISSES_MAX; n++) expect(openAtHand(deps, [visit()])).toBeUndefined()
  for (let n = 0; n < MISSES_MAX; n++) expect(await openFirst(deps, [visit('PUT')])).toBeUndefined()
  expect(await openFirst(deps, [visit()])).toMatchObject({ status: 429 })
  expect(clicks).toEqual([])
})

test('other methods are refused, if there is a link that opens with a path', async () => {
  const { deps, visit, clicks } = pathRig(() => OPENS)
  expect(await openFirst(deps, [visit('PUT')])).toMatchObject({
    status: 405,
    headers: { Allow: 'GET, HEAD' },
  })
  expect(await openFirst(deps, [visit('HEAD')])).toMatchObject({ status: 302 })
  expect(clicks).toEqual([])
})

test('while the store is away, visitors are asked to try again, and any other error is one', async () => {
  const away = pathRig(() => Promise.reject(new StoreUnavailable('Away.')))
  expect(openAtHand(away.deps, [away.visit()])).toBeUndefined()
  expect(await openFirst(away.deps, [away.visit()])).toMatchObject({ status: 503 })
  const broken = pathRig(() => Promise.reject(new Error('Broken.')))
  await expect(openFirst(broken.deps, [broken.visit()])).rejects.toThrow('Broken.')
})

const OPENS: LinkRoute = { ...PLAIN_ROUTE, options: routeOptions({ forward_path: 1 }) }

function pathRig(get: OpenLinkDeps['links']['get']) {
  const clicks: number[] = []
  const deps: OpenLinkDeps = {
    links: { get },
    journal: { append: async ({ linkId }) => void clicks.push(linkId) },
    visitors: { of: () => 1 },
    geo: { locate: () => ({ country: '', city: undefined }) },
    openings: { open: async () => undefined, isExhausted: () => false, checkExhausted: async () => false },
    clock: manualClock(0),
    domains: noOtherDomains('https://s.example.com'),
    ownTraffic: { byWorkspace: new Map() },
    utmWorkspaces: { ids: new Set() },
    misses: new MinuteLimit(manualClock(0), MISSES_MAX),
    notFound: { note: () => {} },
  }
  const visit = (method = 'GET') => ({
    method,
    host: 's.example.com',
    ...defaultKey('hello'),
    path: '/page',
    isGuess: true as const,
    query: '',
    ip: '203.0.113.7',
    header: () => null,
  })
  return { deps, visit, clicks }
}
