import { describe, expect, test } from 'bun:test'
import { noOtherDomains } from '../../test/rigs/redirect/no-other-domains.ts'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import { defaultKey } from '../links/link-key.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { routeOptions } from '../links/routes/route-options.ts'
import { manualClock } from '../runtime/clock.ts'
import { LimitedOpenings } from './limited-openings.ts'
import { openLink } from './open-link.ts'
import type { VisitResponse } from './visit-response.ts'

const REDIRECT: VisitResponse = { status: 302, location: 'https://example.com/', headers: {}, body: '' }
const FAILURE: VisitResponse = { status: 503, headers: {}, body: '' }

test('one visitor of a link follows the other, and links do not wait for each other', async () => {
  const { events, open } = openRig(4)
  const [one, other] = [newRoute(1), newRoute(2)]
  await Promise.all([open(one), open(one), open(other), open(one)])
  const ofOne = events.filter((event) => event.endsWith('1'))
  expect(ofOne).toEqual(Array.from({ length: 3 }, () => ['spend 1', 'redirect 1']).flat())
  expect(events.indexOf('spend 2')).toBeLessThan(events.indexOf('redirect 1'))
})

test('when none is left, the store is not asked again until the link changes', async () => {
  const { rig, events, open } = openRig(2)
  const route = newRoute()
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(route)))
  expect(answers.filter((answer) => answer === REDIRECT)).toHaveLength(2)
  expect(events.filter((event) => event === 'spend 7')).toHaveLength(3)
  rig.left = 1
  expect(await open(route)).toBeUndefined()
  expect(await open(newRoute())).toBe(REDIRECT)
  expect(await open(newRoute())).toBeUndefined()
})

test('the store is asked whether one is left by visits that spend none, until it says no', async () => {
  const { rig, events, open, openings } = openRig(1)
  const route = newRoute()
  expect([openings.isExhausted(route), await openings.checkExhausted(route)]).toEqual([false, false])
  expect(await open(route)).toBe(REDIRECT)
  // It may have been the last one or not.
  expect(openings.isExhausted(route)).toBe(false)
  await left()
  const answers = await Promise.all([1, 2, 3].map(() => openings.checkExhausted(route)))
  expect([...answers, openings.isExhausted(route), await open(route)]).toEqual([
    true,
    true,
    true,
    true,
    undefined,
  ])
  expect(events).toEqual(['check 7', 'spend 7', 'redirect 7', 'check 7'])
  rig.left = 1
  expect(await openings.checkExhausted(newRoute())).toBe(false)
})

test('a check does not wait for visitors, and knows nothing while one may return the last opening', async () => {
  const { events, open, openings } = openRig(1)
  const route = newRoute()
  const failing = open(route, FAILURE)
  expect(await openings.checkExhausted(route)).toBe(false)
  expect(await failing).toBe(FAILURE)
  expect(events).toEqual(['spend 7', 'redirect 7', 'return 7'])
  await left()
  const checking = openings.checkExhausted(route)
  // The store answers before this visitor has returned the opening.
  expect(await open(route, FAILURE)).toBe(FAILURE)
  expect([await checking, openings.isExhausted(route)]).toEqual([false, false])
  expect(await open(route)).toBe(REDIRECT)
  await left()
  expect(await openings.checkExhausted(route)).toBe(true)
})

test('the store is asked once in half a second, however many visits spend none', async () => {
  const { clock, events, openings } = openRig(1)
  const route = newRoute()
  await Promise.all(Array.from({ length: 100 }, () => openings.checkExhausted(route)))
  await openings.checkExhausted(route)
  expect(events).toEqual(['check 7'])
  clock.advance(500_000)
  await openings.checkExhausted(route)
  // A link that was changed.
  await openings.checkExhausted(newRoute())
  expect(events).toEqual(['check 7', 'check 7', 'check 7'])
})

test('a visitor who is not redirected after all returns the opening', async () => {
  const { rig, events, open } = openRig(1)
  const route = newRoute()
  expect(await open(route, FAILURE)).toBe(FAILURE)
  expect(events).toEqual(['spend 7', 'redirect 7', 'return 7'])
  expect(rig.left).toBe(1)
  expect(await open(route)).toBe(REDIRECT)
})

describe('while the store is down', () => {
  test('everybody in line is answered at once, and the store is left alone for a moment', async () => {
    const { rig, clock, events, open } = openRig()
    rig.isDown = true
    const route = newRoute()
    const line = await Promise.allSettled(Array.from({ length: 10 }, () => open(route)))
    expect(line.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    expect(events).toEqual(['spend 7'])
    rig.isDown = false
    await expect(open(route)).rejects.toThrow(StoreUnavailable)
    clock.advance(500_000)
    expect(await open(route)).toBe(REDIRECT)
  })

  test('it is not known whether one is left, and a check does not claim that none is', async () => {
    const { rig, clock, openings } = openRig(0)
    const route = newRoute()
    rig.isDown = true
    expect(await openings.checkExhausted(route)).toBe(false)
    rig.isDown = false
    expect(await openings.checkExhausted(route)).toBe(false)
    clock.advance(500_000)
    expect(await openings.checkExhausted(route)).toBe(true)
  })

  test('too many who wait are asked to try again', async () => {
    const { open } = openRig(0)
    const route = newRoute()
    const line = await Promise.allSettled(Array.from({ length: 1_001 }, () => open(route)))
    expect(line.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await open(newRoute())).toBeUndefined()
  })

  test('one link leaves places to the others, until those of the node are used up', async () => {
    const { open } = openRig(0)
    const ofOne = Array.from({ length: 5_000 }, () => open(newRoute(1)))
    const others = [2, 3, 4, 5, 6].flatMap((id) => Array.from({ length: 1_000 }, () => open(newRoute(id))))
    const rejectedOf = async (line: Promise<unknown>[]) =>
      (await Promise.allSettled(line)).filter(({ status }) => status === 'rejected').length
    expect(await Promise.all([rejectedOf(ofOne), rejectedOf(others)])).toEqual([4_000, 1_000])
  })
})

test('a used-up limit is met before a password, a card, and a destination that is blocked or leads in a circle', async () => {
  const over = 'https://example.com/over'
  const limited = { max_clicks: 1, fallback_url: over }
  const blocked = { ...routeOptions(limited)!, blocked: new Set([PLAIN_ROUTE.destination]) }
  const routes: [Partial<LinkRoute>, userAgent: string][] = [
    [{ options: routeOptions({ ...limited, password_hash: 'hash' }) }, 'Firefox'],
    [{ options: routeOptions(limited) }, 'Twitterbot/1.0'],
    [{ options: routeOptions(limited) }, 'Googlebot/2.1'],
    [{ options: blocked }, 'Firefox'],
    [{ options: routeOptions(limited), blockedBy: 'loop' }, 'Firefox'],
  ]
  for (const [change, userAgent] of routes) {
    const route = { ...PLAIN_ROUTE, ...change }
    const { openings } = openRig(0)
    // The first visit asks the store, the others know.
    for (const method of ['GET', 'GET', 'HEAD'])
      expect(await visit(openings, route, { method, userAgent })).toMatchObject({
        status: 302,
        location: over,
      })
    const gone = { ...route, blockedBy: 'operator' as const }
    for (const _ of 'ab') expect((await visit(openings, gone, { userAgent })).status).toBe(410)
  }
})

const visit = async (
  openings: LimitedOpenings,
  route: LinkRoute,
  { method = 'GET', userAgent }: { method?: string; userAgent: string },
) =>
  openLink(
    {
      links: { get: () => route },
      openings,
      clock: manualClock(0),
      journal: { append: async () => {} },
      visitors: { of: () => 1 },
      geo: { locate: () => ({ country: '', city: undefined }) },
      domains: noOtherDomains(),
      ownTraffic: { byWorkspace: new Map() },
      utmWorkspaces: { ids: new Set() },
      misses: { count: () => ({ isAllowed: true, retryAfterSeconds: 0 }) },
      notFound: { note: () => {} },
    },
    {
      method,
      host: 's.example',
      ...defaultKey('hello'),
      query: '',
      ip: '203.0.113.7',
      header: (name) => (name === 'user-agent' ? userAgent : null),
    },
  )

const newRoute = (linkId = 7): LinkRoute => ({ ...PLAIN_ROUTE, linkId })

/** A store with a number of openings for each link. It says what happens in which order. */
function openRig(left = 3) {
  const clock = manualClock(0)
  const events: string[] = []
  const rig = { left, isDown: false }
  const store = {
    async spend(linkId: number) {
      events.push(`spend ${linkId}`)
      await Bun.sleep(1)
      if (rig.isDown) throw new StoreUnavailable('Down.')
      return rig.left > 0 && rig.left-- > 0
    },
    async giveBack(linkId: number) {
      await Bun.sleep(1)
      events.push(`return ${linkId}`)
      rig.left++
    },
    async isLimitReached(linkId: number) {
      events.push(`check ${linkId}`)
      await Bun.sleep(1)
      if (rig.isDown) throw new StoreUnavailable('Down.')
      return rig.left === 0
    },
  }
  const openings = new LimitedOpenings(store, clock)
  const open = (route: LinkRoute, answer = REDIRECT) =>
    openings.open(route, async () => {
      await Bun.sleep(1)
      events.push(`redirect ${route.linkId}`)
      return answer
    })
  return { rig, clock, events, open, openings }
}

/** Until the visitor before has left the line. */
const left = () => new Promise((resolve) => setImmediate(resolve))
