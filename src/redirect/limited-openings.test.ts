import { describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../test/rigs/plain-route.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { manualClock } from '../runtime/clock.ts'
import { LimitedOpenings, type OpeningStore } from './limited-openings.ts'
import type { VisitResponse } from './visit-response.ts'

const newRoute = (linkId = 7): LinkRoute => ({ ...PLAIN_ROUTE, linkId })
const REDIRECT: VisitResponse = { status: 302, location: 'https://example.com/', headers: {}, body: '' }
const FAILURE: VisitResponse = { status: 503, headers: {}, body: '' }

/** A store with a number of openings for each link. It says what happens in which order. */
function openRig(left = 3) {
  const clock = manualClock(0)
  const events: string[] = []
  const rig = { left, isDown: false }
  const store: OpeningStore = {
    async spend(linkId) {
      events.push(`spend ${linkId}`)
      await Bun.sleep(1)
      if (rig.isDown) throw new StoreUnavailable('Down.')
      if (rig.left === 0) return 'none left'
      return --rig.left === 0 ? 'last one spent' : 'spent'
    },
    giveBack(linkId) {
      events.push(`return ${linkId}`)
      rig.left++
    },
  }
  const openings = new LimitedOpenings(store, clock)
  const open = (route: LinkRoute, answer = REDIRECT) =>
    openings.open(route, async () => {
      await Bun.sleep(1)
      events.push(`redirect ${route.linkId}`)
      return answer
    })
  const isExhausted = (route: LinkRoute) => openings.isExhausted(route)
  return { rig, clock, events, open, isExhausted }
}

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
  expect(events.filter((event) => event === 'spend 7')).toHaveLength(2)
  rig.left = 1
  expect(await open(route)).toBeUndefined()
  expect(await open(newRoute())).toBe(REDIRECT)
  expect(await open(newRoute())).toBeUndefined()
})

test('who takes the last opening leaves the link exhausted, and so does who finds none', async () => {
  const { rig, open, isExhausted } = openRig(2)
  const [route, other] = [newRoute(), newRoute()]
  await open(route)
  expect(isExhausted(route)).toBe(false)
  await open(route)
  expect([isExhausted(route), isExhausted(other)]).toEqual([true, false])
  expect(await open(other)).toBeUndefined()
  expect(isExhausted(other)).toBe(true)
  rig.left = 1
  expect(isExhausted(newRoute())).toBe(false)
})

test('the last opening, returned, leaves the link open', async () => {
  const { open, isExhausted } = openRig(1)
  const route = newRoute()
  expect(await open(route, FAILURE)).toBe(FAILURE)
  expect(isExhausted(route)).toBe(false)
  expect(await open(route)).toBe(REDIRECT)
  expect(isExhausted(route)).toBe(true)
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

  test('too many who wait are asked to try again', async () => {
    const { open } = openRig(0)
    const route = newRoute()
    const line = await Promise.allSettled(Array.from({ length: 5_001 }, () => open(route)))
    expect(line.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await open(newRoute())).toBeUndefined()
  })
})
